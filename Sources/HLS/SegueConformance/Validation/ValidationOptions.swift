internal import Foundation

/// The limits of a validation.
package struct ValidationOptions: Sendable {
    /// The maximum number of segments of each media playlist.
    package var mostSegments = Int.max

    /// The timeout for a server that sends nothing or too little.
    package var patience = Duration.seconds(30)

    /// The time limit of the validation; the report lists the resources that it skips.
    package var time = Duration.seconds(3600)

    /// Additional request header fields, sent to the playlist's origin only.
    package var headers: [(name: String, value: String)] = []

    /// False to skip the rules on HTTP delivery.
    package var judgesDelivery = true

    /// The maximum size of a playlist in bytes.
    package var mostPlaylistBytes = 32 << 20

    /// The maximum size of a segment or an initialization section in bytes.
    package var mostSegmentBytes = 128 << 20

    /// The maximum size of a key in bytes.
    package var mostKeyBytes = 64 << 10

    /// The maximum number of media playlists.
    package var mostPlaylists = 500

    /// The number of bytes after which no further segments are loaded; the report lists those that are skipped.
    package var mostBytes = Int.max

    /// Returns the segment at a URL if another component has inspected it; nil without another component.
    package var inspected: (@Sendable (_ url: String) -> InspectedSegment?)?

    /// The maximum number of segments of each media playlist that no other component has inspected.
    package var mostOthers = Int.max

    /// Creates a decoder for the segments of a media playlist; nil to decode nothing.
    package var decoder: (@Sendable () -> any SegmentDecoding)?

    /// The maximum number of requests per second; nil for no limit.
    package var rate: Double?

    /// Waits on the calling thread, because a server or ``rate`` demands it; a validation of a server within this
    /// process does not wait.
    package var wait: @Sendable (Duration) -> Void = { Thread.sleep(forTimeInterval: $0 / .seconds(1)) }

    /// The number of parallel requests.
    package var width = 4

    package init() {}
}

/// The reason why a playlist cannot be validated.
package struct ValidationFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ place: String, _ reason: String) { description = "\(place): \(reason)" }
}
