import SeguePackager

/// A resource of a channel, below `/channel/`.
enum ChannelPlace: Sendable, Equatable {
    case multivariantPlaylist
    case mediaPlaylist
    /// A segment, `LINEUP/RENDITION/SEQUENCE.m4s`, or a part of it, `LINEUP/RENDITION/SEQUENCE.PART.m4s`.
    case piece(Piece)

    struct Piece: Sendable, Equatable {
        let lineup: String
        let rendition: Rendition
        let sequence: Int
        /// The number of a part; nil for the segment.
        let part: Int?
    }

    private static let ending = ".m4s"

    /// Parses the path of a piece; nil if it is malformed.
    ///
    /// - Parameter components: The components after `channel`.
    init?(piece components: ArraySlice<String>) {
        guard components.count == 3, let lineup = components.first else { return nil }
        let (name, file) = (components[components.startIndex + 1], components[components.startIndex + 2][...])
        guard let rendition = Rendition.principal.first(where: { $0.rawValue == name }), file.hasSuffix(Self.ending)
        else { return nil }
        let words = file.dropLast(Self.ending.count).split(separator: ".", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Int(written: $0, before: "") }
        guard (1...2).contains(words.count), numbers.count == words.count else { return nil }
        let part = numbers.count > 1 ? numbers[1] : nil
        self = .piece(Piece(lineup: lineup, rendition: rendition, sequence: numbers[0], part: part))
    }

    /// The address of a segment or a part, relative to the playlists.
    static func path(lineup: String, _ rendition: Rendition, sequence: Int, part: Int?) -> String {
        "\(lineup)/\(rendition.rawValue)/\(sequence)\(part.map { ".\($0)" } ?? "")\(ending)"
    }
}
