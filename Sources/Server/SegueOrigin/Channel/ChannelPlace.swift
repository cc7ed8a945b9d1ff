import SeguePackager

/// What lies below `/channel/`.
enum ChannelPlace: Sendable, Equatable {
    /// `master.m3u8`.
    case multivariantPlaylist
    /// `index.m3u8`.
    case mediaPlaylist
    /// `LINEUP/RENDITION/SEQUENCE.m4s`, and a part of it, `LINEUP/RENDITION/SEQUENCE.PART.m4s`.
    case piece(lineup: String, Rendition, sequence: Int, part: Int?)

    /// What segments' names end with.
    private static let ending = ".m4s"

    /// The place that a path's components are; nil where there is nothing.
    ///
    /// - Parameter components: Those behind `channel`.
    init?(_ components: ArraySlice<String>) {
        switch (components.count, components.first) {
        case (1, "master.m3u8"): self = .multivariantPlaylist
        case (1, "index.m3u8"): self = .mediaPlaylist
        case (3, let lineup?):
            let (name, file) = (components[components.startIndex + 1], components[components.startIndex + 2][...])
            guard let rendition = Rendition.principal.first(where: { $0.rawValue == name }), file.hasSuffix(Self.ending)
            else { return nil }
            let words = file.dropLast(Self.ending.count).split(separator: ".", omittingEmptySubsequences: false)
            let numbers = words.compactMap { Int(written: $0, before: "") }
            guard (1...2).contains(words.count), numbers.count == words.count else { return nil }
            self = .piece(lineup: lineup, rendition, sequence: numbers[0], part: numbers.count > 1 ? numbers[1] : nil)
        default: return nil
        }
    }

    /// The address of a segment or a part, relative to the playlists.
    static func path(lineup: String, _ rendition: Rendition, sequence: Int, part: Int?) -> String {
        "\(lineup)/\(rendition.rawValue)/\(sequence)\(part.map { ".\($0)" } ?? "")\(ending)"
    }
}
