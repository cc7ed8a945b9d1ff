/// The source of a subtitle track.
enum SubtitlesSource: Hashable, Sendable {
    /// A stream of the item's file, by its number.
    case stream(Int)
    /// A file next to the item's, by its tag (``SideSubtitles/tag``).
    case side(tag: String)

    private static let streamPrefix = "subtitles-"
    private static let sidePrefix = "side-"

    /// Parses the name of the folder of its segments, without the container.
    init?(name: Substring) {
        if let stream = Int(written: name, after: Self.streamPrefix) {
            self = .stream(stream)
        } else if name.hasPrefix(Self.sidePrefix) {
            self = .side(tag: String(name.dropFirst(Self.sidePrefix.count)))
        } else {
            return nil
        }
    }

    /// The name of the folder of its segments.
    var name: String {
        switch self {
        case .stream(let stream): "\(Self.streamPrefix)\(stream)"
        case .side(let tag): "\(Self.sidePrefix)\(tag)"
        }
    }
}
