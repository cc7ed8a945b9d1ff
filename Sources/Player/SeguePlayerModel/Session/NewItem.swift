/// An item that an app outside of the session creates, and its place in the queue.
package struct NewItem: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        case last
        case behind(ItemID)
        /// Behind the current item, loading at its playhead to replace it.
        case following(ItemID)
        /// In place of the current item. A movie player is recreated for it.
        case current
    }

    package var url: String

    /// The start position; nil for the position in the playlist.
    package var start: Duration?

    /// True if the item starts exactly at that position, and not at the start of its segment.
    package var isStartExact: Bool

    package var place: Place

    /// The header fields that the app adds to its requests.
    package var headers: [String: String] = [:]

    package init(url: String, startingAt start: Duration?, isExact: Bool, place: Place) {
        (self.url, self.start, isStartExact, self.place) = (url, start, isExact, place)
    }
}
