/// How a validation fetches, and how much of it.
package struct ValidationOptions: Sendable {
    /// How many segments of each media playlist are looked into.
    package var mostSegments = Int.max

    /// How long a server may send nothing.
    package var patience = Duration.seconds(30)

    /// How long all of it may take; what has not been looked at by then is named.
    package var time = Duration.seconds(3600)

    /// Further request headers, which only the playlist's own server gets.
    package var headers: [(name: String, value: String)] = []

    /// Whether it is looked at how HTTP delivers, or only at what.
    package var judgesDelivery = true

    /// The most bytes that are read of a playlist.
    package var mostPlaylistBytes = 32 << 20

    /// The most bytes that are read of a segment or an initialization section.
    package var mostSegmentBytes = 128 << 20

    /// The most bytes that are read of a key.
    package var mostKeyBytes = 64 << 10

    /// The most media playlists that are looked into.
    package var mostPlaylists = 500

    /// Makes what decodes the segments of a media playlist; nil where they are not decoded.
    package var decoder: (@Sendable () -> any SegmentDecoding)?

    /// How many resources are fetched at once.
    package var width = 4

    /// As the program has them, where it is not told otherwise.
    package init() {}
}

/// A playlist that cannot be looked at: which, and why.
package struct ValidationFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ what: String, _ why: String) { description = "\(what): \(why)" }
}
