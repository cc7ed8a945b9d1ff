/// Where subtitles come from.
enum SubtitlesSource: Hashable, Sendable {
    /// A stream of the item's file, by its number.
    case stream(Int)
    /// A file beside the item's, by its tag (``SideSubtitles/tag``).
    case side(tag: String)

    private static let streamPrefix = "subtitles-"
    private static let sidePrefix = "side-"

    /// The source whose segments lie in a folder of this name, without the container; nil where it is none.
    init?(name: Substring) {
        if let stream = Int(written: name, after: Self.streamPrefix) {
            self = .stream(stream)
        } else if name.hasPrefix(Self.sidePrefix) {
            self = .side(tag: String(name.dropFirst(Self.sidePrefix.count)))
        } else {
            return nil
        }
    }

    /// What the folder of its segments is called.
    var name: String {
        switch self {
        case .stream(let stream): "\(Self.streamPrefix)\(stream)"
        case .side(let tag): "\(Self.sidePrefix)\(tag)"
        }
    }
}
