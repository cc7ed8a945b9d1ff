/// An item that an app of its own makes of a URL, and where it goes into the queue.
package struct NewItem: Sendable, Equatable {
    /// Where an item goes.
    package enum Place: Sendable, Equatable {
        case last
        case behind(ItemID)
        /// Behind the current item, at whose playhead it loads to take its place.
        case following(ItemID)
        /// In the place of the current item; a movie player is made anew for it.
        case current
    }

    /// Its playlist.
    package var url: String

    /// Where it begins; nil leaves that to the playlist.
    package var start: Duration?

    /// Whether it begins exactly there, not at the start of that segment.
    package var isStartExact: Bool

    /// Where it goes.
    package var place: Place

    /// An item.
    package init(url: String, startingAt start: Duration?, isExact: Bool, place: Place) {
        (self.url, self.start, isStartExact, self.place) = (url, start, isExact, place)
    }
}
