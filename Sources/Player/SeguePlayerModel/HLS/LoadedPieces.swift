internal import SegueBase

/// The loaded part of an item's timeline, in order and without holes.
struct LoadedPieces: Sendable {
    private struct Piece: Sendable {
        let start: Duration
        let end: Duration
        /// True if the playlist has a gap there.
        let isGap: Bool
    }

    private var pieces: [Piece] = []

    /// True if any piece is or was a gap of the playlist.
    private var hasGaps = false

    /// The part of the next segment that has arrived and counts already.
    var underway: (start: Duration, end: Duration)?

    /// The end of the delivered fragments, on platforms that hold each one until the next begins.
    var handed: Duration?

    /// The number of pieces.
    var count: Int { pieces.count }

    var start: Duration? { pieces.first?.start }

    var end: Duration? { pieces.last?.end }

    /// Returns the end of the loaded part, from a position within it; nil outside of it.
    func end(from position: Duration) -> Duration? {
        guard let start = pieces.first?.start ?? underway?.start, start <= position else { return nil }
        return max(position, reach ?? position)
    }

    /// The end, including the part of the next segment that counts already.
    var reach: Duration? { underway?.end ?? end }

    /// Returns whether the playlist has a gap at a position.
    func isGap(at position: Duration) -> Bool {
        hasGaps && pieces.contains { $0.isGap && $0.start <= position && position < $0.end }
    }

    /// Returns the next position after another one at which a gap begins or ends.
    func gapBorder(after position: Duration) -> Duration? {
        guard hasGaps else { return nil }
        return pieces.lazy.filter(\.isGap).compactMap { gap in
            [gap.start, gap.end].first { $0 > position }
        }.min()
    }

    mutating func append(_ slot: SegmentTimeline.Slot) {
        let start = pieces.last?.end ?? slot.start
        pieces.append(Piece(start: start, end: max(start, slot.end), isGap: slot.isGap))
        hasGaps = hasGaps || slot.isGap
        underway = nil
    }

    /// Releases pieces that end before a position, except for the last one.
    mutating func release(before position: Duration) {
        while pieces.count > 1, pieces[0].end <= position { pieces.removeFirst() }
    }

    /// Drops media at the end, as far as they lie behind a position.
    mutating func lose(_ length: Duration, from position: Duration) {
        guard let last = pieces.last, !last.isGap else { return }
        let start = max(last.start, last.end - length, position)
        guard start < last.end else { return }
        pieces[pieces.count - 1] = Piece(start: last.start, end: start, isGap: false)
        pieces.append(Piece(start: start, end: last.end, isGap: true))
        hasGaps = true
    }

    mutating func removeAll() { (pieces, underway) = ([], nil) }
}
