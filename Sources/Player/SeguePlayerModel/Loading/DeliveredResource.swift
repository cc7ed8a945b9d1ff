package import SegueFetch

/// A resource that came whole, or a part of a file or of an endless stream, as the player got it.
package struct DeliveredResource: Sendable, Equatable {
    /// What it is to the player.
    package enum Kind: Sendable, Equatable {
        /// A playlist of either kind.
        case playlist
        /// An initialization section.
        case map
        /// A segment: its number in the playlist from 0, where it lies on the item's timeline, the initialization
        /// section it needs, and whether its timestamps begin anew.
        case segment(number: Int, start: Duration, duration: Duration, map: MapAddress?, startsDiscontinuity: Bool)
        /// A part of a plain file, or of an endless stream's sound: the range says which. Parts may come again, and out
        /// of order where the player jumps.
        case part
    }

    /// The item that it belongs to.
    package let item: ItemID

    /// The stream of that item.
    package let stream: StreamRole

    /// What it is.
    package let kind: Kind

    /// The URL that was asked for.
    package let url: String

    /// The part that was asked for, or that it is; nil for the whole.
    package let range: FetchRange?

    /// Its bytes, as they came.
    package let content: FetchBytes

    /// Its bytes.
    package var bytes: [UInt8] { content.bytes }
}

/// Where an initialization section is.
package struct MapAddress: Sendable, Hashable {
    /// Its absolute URL.
    package let url: String

    /// The part of the resource; nil for the whole.
    package let range: FetchRange?

    /// An address.
    package init(url: String, range: FetchRange?) {
        self.url = url
        self.range = range
    }
}

/// One of the streams that an item is made of.
package enum StreamRole: String, Sendable {
    /// The variant's own.
    case main
    /// A separate audio rendition.
    case audio
    /// A separate subtitle rendition.
    case subtitles
}
