package import Packager

/// A request and what it was answered with, for a log.
package struct OriginExchange: Sendable {
    /// What was asked.
    package var request: OriginRequest

    /// What was answered.
    package var response: OriginResponse

    /// The item that it was about; nil where it was about none.
    package var item: LibraryItem?

    /// What of a rendition was asked for; nil for anything else.
    package var piece: Piece?

    /// A piece of a rendition.
    package enum Piece: Sendable, Hashable {
        /// A media playlist.
        case playlist(Rendition)
        /// An init segment.
        case initSegment(Rendition, SegmentContainer)
        /// A segment and its number.
        case segment(Int, Rendition, SegmentContainer)
    }
}
