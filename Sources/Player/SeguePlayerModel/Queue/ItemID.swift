/// Names one item in a session; never used twice.
package struct ItemID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Counts up from 1.
    package let number: Int

    /// The name of the item with this number.
    package init(_ number: Int) { self.number = number }

    package static func < (left: ItemID, right: ItemID) -> Bool { left.number < right.number }

    package var description: String { "item-\(number)" }
}

/// What an item's media were seen to have.
package struct ItemTracks: Sendable, Equatable {
    /// Whether there is a picture; a still one that is sent as video counts.
    package var hasVideo: Bool

    /// Whether there is sound.
    package var hasAudio: Bool

    /// Tracks.
    package init(hasVideo: Bool, hasAudio: Bool) {
        self.hasVideo = hasVideo
        self.hasAudio = hasAudio
    }

    /// What either has.
    func union(_ other: ItemTracks) -> ItemTracks {
        ItemTracks(hasVideo: hasVideo || other.hasVideo, hasAudio: hasAudio || other.hasAudio)
    }
}
