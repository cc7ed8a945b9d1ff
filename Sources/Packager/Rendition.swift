/// One way to present an item: which picture and which sound its segments hold.
///
/// Its name stands in URLs and logs, and says everything of it.
package struct Rendition: Sendable, Hashable {
    /// A picture.
    package enum Picture: Sendable, Hashable {
        /// None, and no trace of one.
        case none
        /// The item's own: its film.
        case own
        /// Of the item's own, the first picture of each segment.
        case keyframes
    }

    /// A sound.
    package enum Sound: Sendable, Hashable {
        /// None.
        case none
        /// The best that the item has.
        case best
        /// The track with this number among the file's streams.
        case track(Int)
    }

    /// The picture.
    package let picture: Picture
    /// The sound.
    package let sound: Sound

    /// A rendition; nil where there is neither picture nor sound in it, or a combination that is not served.
    package init?(picture: Picture, sound: Sound) {
        switch (picture, sound) {
        case (.none, .none), (.own, .track), (.keyframes, .best), (.keyframes, .track): return nil
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

    /// Picture and sound.
    package static let full = Rendition(.own, .best)
    /// Sound alone, with no trace of the picture, on the same timeline.
    package static let background = Rendition(.none, .best)
    /// The picture alone.
    package static let video = Rendition(.own, .none)

    /// The first picture of each segment, and nothing else: for searching.
    package static let keyframes = Rendition(.keyframes, .none)

    /// One track of sound alone.
    ///
    /// - Parameter stream: Its number among the file's streams; not negative.
    /// - Returns: The rendition.
    package static func sound(_ stream: Int) -> Rendition { Rendition(.none, .track(stream)) }

    /// What a player that knows of one variant only is given: ``full`` and ``background``.
    package static let principal = [full, background]

    /// Whether there is a picture in it.
    package var hasPicture: Bool { picture != .none }
}

extension Rendition: RawRepresentable {
    private static let soundPrefix = "sound-"

    /// The name: `full`, `background`, `video`, `iframes`, or `sound-` and the number of a stream.
    package var rawValue: String {
        switch (picture, sound) {
        case (.keyframes, _): "iframes"
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
            guard rawValue.hasPrefix(Rendition.soundPrefix),
                let number = Int(rawValue.dropFirst(Rendition.soundPrefix.count)), number >= 0
            else { return nil }
            found = .sound(number)
        }
        guard found.rawValue == rawValue else { return nil }
        self = found
    }
}
