/// The identity of an item in a session, never reused.
package struct ItemID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Counts up from 1.
    package let number: Int

    package init(_ number: Int) { self.number = number }

    package static func < (left: ItemID, right: ItemID) -> Bool { left.number < right.number }

    package var description: String { "item-\(number)" }
}

/// The kinds of tracks in an item's media.
package struct ItemTracks: Sendable, Equatable {
    /// Whether there is video, including a still image sent as video.
    package var hasVideo: Bool

    package var hasAudio: Bool

    package init(hasVideo: Bool, hasAudio: Bool) {
        self.hasVideo = hasVideo
        self.hasAudio = hasAudio
    }

    func union(_ other: ItemTracks) -> ItemTracks {
        ItemTracks(hasVideo: hasVideo || other.hasVideo, hasAudio: hasAudio || other.hasAudio)
    }
}
