/// A selection of video and audio for an item.
///
/// Its name in URLs and logs describes it completely.
package struct Rendition: Sendable, Hashable {
    /// A video selection.
    package enum Video: Sendable, Hashable {
        case none
        /// The item's own video.
        case own
        /// The item's video transcoded to a ladder rung: the maximum of the shorter side, in pixels.
        case rung(Int)
        /// The first frame of each segment of the item's video.
        case keyframes
    }

    /// An audio selection.
    package enum Audio: Sendable, Hashable {
        case none
        /// The item's best audio.
        case best
        /// The audio stream with this index.
        case track(Int)
    }

    package let video: Video
    package let audio: Audio
    /// The bitmap subtitle stream that is drawn into the video; nil without.
    package private(set) var burned: Int?

    /// Creates a rendition; nil for empty and unsupported combinations.
    package init?(video: Video, audio: Audio) {
        switch (video, audio) {
        case (.none, .none), (.own, .track), (.keyframes, .best), (.keyframes, .track),
            (.rung, .best), (.rung, .track):
            return nil
        case (.rung(let size), .none) where LadderRung(size) == nil: return nil
        case (.none, .track(let number)) where number < 0: return nil
        default:
            self.video = video
            self.audio = audio
        }
    }

    private init(_ video: Video, _ audio: Audio) {
        self.video = video
        self.audio = audio
    }

    /// Video and audio.
    package static let full = Rendition(.own, .best)
    /// Audio only, without any trace of video, on the same timeline.
    package static let background = Rendition(.none, .best)
    package static let video = Rendition(.own, .none)

    /// The first frame of each segment, for scrubbing.
    package static let keyframes = Rendition(.keyframes, .none)

    /// One audio stream only; its index must not be negative.
    package static func audio(_ stream: Int) -> Rendition { Rendition(.none, .track(stream)) }

    /// The renditions for players without variant selection: ``full`` and ``background``.
    package static let principal = [full, background]

    package var hasVideo: Bool { video != .none }

    /// The rendition with bitmap subtitles of a stream drawn into its video, if it has one, or without for nil.
    package func burning(_ stream: Int?) -> Rendition {
        var result = self
        result.burned = hasVideo ? stream : nil
        return result
    }
}

extension Rendition: RawRepresentable, Codable {
    private static let audioPrefix = "sound-"
    private static let rungPrefix = "video-"
    private static let burnedMark = "-burn-"

    /// The name: `full`, `background`, `video`, `iframes`, `video-` and the size of a rung, or `sound-` and the index
    /// of a stream; with subtitles in the video, `-burn-` and the index of their stream follow.
    package var rawValue: String { baseName + (burned.map { "\(Rendition.burnedMark)\($0)" } ?? "") }

    private var baseName: String {
        switch (video, audio) {
        case (.keyframes, _): "iframes"
        case (.rung(let size), _): "\(Rendition.rungPrefix)\(size)"
        case (.own, .none): "video"
        case (.own, _): "full"
        case (.none, .track(let number)): "\(Rendition.audioPrefix)\(number)"
        case (.none, _): "background"
        }
    }

    /// Parses a name as written by ``rawValue``.
    package init?(rawValue: String) {
        if let mark = rawValue.firstRange(of: Rendition.burnedMark) {
            guard let stream = Int(rawValue[mark.upperBound...]), stream >= 0,
                let base = Rendition(rawValue: String(rawValue[..<mark.lowerBound])), base.hasVideo,
                base.burning(stream).rawValue == rawValue
            else { return nil }
            self = base.burning(stream)
            return
        }
        let found: Rendition
        switch rawValue {
        case "full": found = .full
        case "background": found = .background
        case "video": found = .video
        case "iframes": found = .keyframes
        default:
            let words = rawValue.split(separator: "-", maxSplits: 1)
            guard words.count == 2, let number = Int(words[1]), number >= 0 else { return nil }
            if rawValue.hasPrefix(Rendition.rungPrefix) {
                guard LadderRung(number) != nil else { return nil }
                found = Rendition(.rung(number), .none)
            } else {
                found = .audio(number)
            }
        }
        guard found.rawValue == rawValue else { return nil }
        self = found
    }
}
