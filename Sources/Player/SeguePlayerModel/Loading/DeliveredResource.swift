package import SegueFetch

/// A complete resource, or a part of a file or of an endless stream, as the player received it.
package struct DeliveredResource: Sendable, Equatable {
    /// The role of the resource.
    package enum Kind: Sendable, Equatable {
        case playlist
        case map
        /// A segment, with its number in the playlist from 0, its place on the item's timeline, its initialization
        /// section, and whether its timestamps restart.
        case segment(number: Int, start: Duration, duration: Duration, map: MapAddress?, startsDiscontinuity: Bool)
        /// A part of a plain file, or of the audio of an endless stream, at the given range. Parts may repeat, and come
        /// out of order after a jump.
        case part
    }

    package let item: ItemID

    package let stream: StreamRole

    package let kind: Kind

    /// The URL of the request.
    package let url: String

    /// The range of the request, or of the part; nil for the whole.
    package let range: FetchRange?

    /// The bytes as they were received.
    package let content: FetchBytes

    /// The bytes as an array.
    package var bytes: [UInt8] { content.bytes }
}

/// The address of an initialization section.
package struct MapAddress: Sendable, Hashable {
    /// The absolute URL.
    package let url: String

    /// The range in the resource; nil for the whole.
    package let range: FetchRange?

    package init(url: String, range: FetchRange?) {
        self.url = url
        self.range = range
    }
}

/// A stream of an item.
package enum StreamRole: String, Sendable {
    /// The stream of the variant itself.
    case main
    /// A separate audio rendition.
    case audio
    /// A separate subtitle rendition.
    case subtitles
}
