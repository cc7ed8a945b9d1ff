internal import SeguePlaylists

/// The place in a playlist of the segment or part that loads next.
struct SegmentCursor: Sendable {
    /// The number of the next segment.
    private(set) var number: Int

    /// The index of the next part; 0 for the whole segment.
    private(set) var part: Int

    /// The first segment since the last change of variant or position.
    private(set) var fresh: Int

    /// The segment that is loaded as a whole because its parts are unusable.
    private var withoutParts: Int?

    init(_ timeline: SegmentTimeline, at position: Duration) {
        (number, part) = timeline.place(at: position)
        fresh = number
    }

    /// The maximum of ``lead``.
    private static let mostLead = 15

    /// The distance ahead of the playhead at which an optional stream last began, in segments.
    var lead = 0

    /// True if the next segment is loaded as a whole because its parts are unusable.
    var isWithoutParts: Bool { withoutParts == number }

    // MARK: Moving

    /// Restarts at a segment or part.
    mutating func restart(at number: Int, part: Int = 0) {
        (self.number, self.part, withoutParts, fresh) = (number, part, nil, number)
    }

    /// Returns the segment at which an optional stream begins, further ahead of the playhead's segment each time that
    /// one has overtaken it; nil if the stream continues.
    mutating func aim(ahead playhead: Int, loaded count: Int, upper: Int) -> Int? {
        let aimed = number - count
        guard aimed < playhead || aimed > playhead + lead else { return nil }
        lead = aimed < playhead ? min(2 * lead + 1, SegmentCursor.mostLead) : 0
        return min(playhead + lead, max(playhead, upper - 1))
    }

    /// Continues in the playlist of another variant, from the end of the loaded media or else from a position.
    mutating func change(to timeline: SegmentTimeline, loadedTo end: Duration?, at position: Duration) {
        let from = end ?? position
        (number, part) = timeline.place(at: from)
        withoutParts = nil
        guard part == 0, number < timeline.upper else { return }
        let slot = timeline.slot(number)
        // The durations of variants differ slightly, so a segment with almost nothing left is complete.
        if end != nil, slot.end <= from || slot.end - from < slot.duration / 10 { number += 1 }
        fresh = number
    }

    /// Moves to another number for the same position, after the playlist was aligned again.
    mutating func renumber(to number: Int) { self.number = number }

    /// Advances past the next segment or part.
    mutating func advance(past slot: SegmentTimeline.Slot) {
        if slot.isPart { part += 1 } else { nextSegment() }
    }

    /// Advances to the next segment.
    mutating func nextSegment() { (number, part) = (number + 1, 0) }

    /// Loads the next segment as a whole, because its parts are unusable.
    mutating func giveUpParts() { withoutParts = number }
}
