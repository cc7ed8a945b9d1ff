internal import SegueBase

/// What of an item's timeline is loaded and not yet let go, in order and without a gap.
struct LoadedPieces: Sendable {
    /// A piece of the timeline.
    private struct Piece: Sendable {
        let start: Duration
        let end: Duration
        /// Whether the playlist says that there are no media.
        let isGap: Bool
    }

    private var pieces: [Piece] = []

    /// Whether any of it is a gap of the playlist, or was.
    private var hasGaps = false

    /// What of the segment behind them has come and counts already; nil for nothing.
    var underway: (start: Duration, end: Duration)?

    /// How many there are.
    var count: Int { pieces.count }

    /// Where they begin; nil where there are none.
    var start: Duration? { pieces.first?.start }

    /// Where they end; nil where there are none.
    var end: Duration? { pieces.last?.end }

    /// Up to where media are there from a position on; nil where there are none at it.
    func end(from position: Duration) -> Duration? {
        guard let start = pieces.first?.start ?? underway?.start, start <= position else { return nil }
        return max(position, reach ?? position)
    }

    /// Where they end, with what has come of the segment behind them; nil where there is nothing.
    var reach: Duration? { underway?.end ?? end }

    /// Whether the playlist has a gap at a position.
    func isGap(at position: Duration) -> Bool {
        hasGaps && pieces.contains { $0.isGap && $0.start <= position && position < $0.end }
    }

    /// Where after a position a gap begins or ends; nil where none does.
    func gapBorder(after position: Duration) -> Duration? {
        guard hasGaps else { return nil }
        return pieces.lazy.filter(\.isGap).compactMap { gap in
            [gap.start, gap.end].first { $0 > position }
        }.min()
    }

    /// Takes a segment for there, right behind what is.
    mutating func append(_ slot: SegmentTimeline.Slot) {
        let start = pieces.last?.end ?? slot.start
        pieces.append(Piece(start: start, end: max(start, slot.end), isGap: slot.isGap))
        hasGaps = hasGaps || slot.isGap
        underway = nil
    }

    /// Lets go of what ends before a position, but for the last.
    mutating func release(before position: Duration) {
        while pieces.count > 1, pieces[0].end <= position { pieces.removeFirst() }
    }

    /// So much of their end is not played, as far as it lies behind a position.
    mutating func lose(_ length: Duration, from position: Duration) {
        guard let last = pieces.last, !last.isGap else { return }
        let start = max(last.start, last.end - length, position)
        guard start < last.end else { return }
        pieces[pieces.count - 1] = Piece(start: last.start, end: start, isGap: false)
        pieces.append(Piece(start: start, end: last.end, isGap: true))
        hasGaps = true
    }

    /// Lets go of all.
    mutating func removeAll() { (pieces, underway) = ([], nil) }
}
