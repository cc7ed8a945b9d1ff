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

    /// The stretches without audio or video that are played.
    private var missing: [SegmentFaults.Stretch] = []

    /// A stretch at which playback stops.
    private struct Obstacle: Sendable {
        let stretch: SegmentFaults.Stretch
        /// True if playback continues after the length of the stretch.
        let passes: Bool
        /// The instant at which the playhead reached it.
        var reached: Instant?

        /// The instant at which playback continues.
        var passage: Instant? { passes ? reached.map { $0 + (stretch.end - stretch.start) } : nil }
    }

    private var obstacles: [Obstacle] = []

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

    /// Returns the position of the next stretch at which playback stops; nil if there is none.
    func obstacle(from position: Duration) -> Duration? {
        obstacles.first { $0.stretch.end > position }.map { max(position, $0.stretch.start) }
    }

    /// The instant at which playback continues behind a stretch.
    var passage: Instant? { obstacles.lazy.compactMap(\.passage).min() }

    /// Notes that the playhead has reached a stretch, or removes one at which it has waited.
    mutating func follow(playhead: Duration, at now: Instant) {
        guard !obstacles.isEmpty else { return }
        missing += obstacles.filter { $0.passage.map { $0 <= now } ?? false }.map(\.stretch).filter {
            $0.fault != .timestampJump
        }
        obstacles.removeAll { $0.passage.map { $0 <= now } ?? false }
        for index in obstacles.indices where obstacles[index].reached == nil {
            let stretch = obstacles[index].stretch
            if stretch.start <= playhead, playhead < stretch.end { obstacles[index].reached = now }
        }
    }

    /// Records faulty stretches with their effect on a platform, and returns the error of one that fails.
    mutating func note(
        _ stretches: [SegmentFaults.Stretch],
        of url: String,
        _ effect: (SegmentFaults.Stretch) -> PlatformProfile.SegmentFaultEffect
    ) -> PlaybackError? {
        var failure: PlaybackError?
        for stretch in stretches {
            switch effect(stretch) {
            case .continues: if stretch.fault != .timestampJump { missing.append(stretch) }
            case .waits: obstacles.append(Obstacle(stretch: stretch, passes: true))
            case .stalls: obstacles.append(Obstacle(stretch: stretch, passes: false))
            case .fails: failure = failure ?? stretch.failure(of: url)
            }
        }
        return failure
    }

    /// Returns whether audio, or video, is missing at a position.
    func isMissing(ofAudio: Bool, at position: Duration) -> Bool {
        missing.contains { ($0.fault == .noAudio) == ofAudio && $0.start <= position && position < $0.end }
    }

    /// Returns whether the playlist has a gap at a position.
    func isGap(at position: Duration) -> Bool {
        hasGaps && pieces.contains { $0.isGap && $0.start <= position && position < $0.end }
    }

    /// Returns the next position after another one at which a gap begins or ends.
    func gapBorder(after position: Duration) -> Duration? {
        let gaps = hasGaps ? pieces.filter(\.isGap).map { ($0.start, $0.end) } : []
        return (gaps + missing.map { ($0.start, $0.end) }).compactMap { start, end in
            [start, end].first { $0 > position }
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
        missing.removeAll { $0.end <= position }
        obstacles.removeAll { $0.stretch.end <= position }
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

    mutating func removeAll() { (pieces, underway, missing, obstacles) = ([], nil, [], []) }
}
