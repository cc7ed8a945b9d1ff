/// One way to present an item: which frame and which audio its segments hold.
///
/// Its name stands in URLs and logs, and says everything of it.
package struct Rendition: Sendable, Hashable {
    /// A frame.
    package enum Picture: Sendable, Hashable {
        /// None, and no trace of one.
        case none
        /// The item's own: its film.
        case own
        /// The item's film, transcoded to a rung of the ladder: no side but the longer has more pixels than this.
        case rung(Int)
        /// Of the item's own, the first frame of each segment.
        case keyframes
    }

    /// An audio.
    package enum Sound: Sendable, Hashable {
        /// None.
        case none
        /// The best that the item has.
        case best
        /// The track with this number among the file's streams.
        case track(Int)
    }

    /// The frame.
    package let picture: Picture
    /// The audio.
    package let sound: Sound

    /// A rendition; nil where there is neither frame nor audio in it, or a combination that is not served.
    package init?(picture: Picture, sound: Sound) {
        switch (picture, sound) {
        case (.none, .none), (.own, .track), (.keyframes, .best), (.keyframes, .track),
            (.rung, .best), (.rung, .track):
            return nil
        case (.rung(let size), .none) where LadderRung(size) == nil: return nil
        case (.none, .track(let number)) where number < 0: return nil
        default:
            self.picture = picture
            self.sound = sound
        }
    }

    private init(_ picture: Picture, _ sound: Sound) {
        self.picture = picture
        self.sound = sound
    }

    /// Frame and audio.
    package static let full = Rendition(.own, .best)
    /// Audio alone, with no trace of the frame, on the same timeline.
    package static let background = Rendition(.none, .best)
    /// The frame alone.
    package static let video = Rendition(.own, .none)

    /// The first frame of each segment, and nothing else: for searching.
    package static let keyframes = Rendition(.keyframes, .none)

    /// One track of audio alone.
    ///
    /// - Parameter stream: Its number among the file's streams; not negative.
    /// - Returns: The rendition.
    package static func sound(_ stream: Int) -> Rendition { Rendition(.none, .track(stream)) }

    /// What a player that knows of one variant only is given: ``full`` and ``background``.
    package static let principal = [full, background]

    /// True if there is a frame in it.
    package var hasPicture: Bool { picture != .none }
}

extension Rendition: RawRepresentable, Codable {
    private static let soundPrefix = "sound-"
    private static let rungPrefix = "video-"

    /// The name: `full`, `background`, `video`, `iframes`, `video-` and the size of a rung, or `sound-` and the number
    /// of a stream.
    package var rawValue: String {
        switch (picture, sound) {
        case (.keyframes, _): "iframes"
        case (.rung(let size), _): "\(Rendition.rungPrefix)\(size)"
        case (.own, .none): "video"
        case (.own, _): "full"
        case (.none, .track(let number)): "\(Rendition.soundPrefix)\(number)"
        case (.none, _): "background"
        }
    }

    /// The rendition of a name as ``rawValue`` writes it; nil for any other text.
    package init?(rawValue: String) {
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
                found = .sound(number)
            }
        }
        guard found.rawValue == rawValue else { return nil }
        self = found
    }
}
