internal import SegueBase
internal import SeguePlaylists

/// The positions of the segments by the playlist and by their timestamps.
struct MediaLine {
    /// A segment with both positions.
    struct Point {
        let segment: SegmentFacts
        let entry: MediaSegment
        /// The number of discontinuities up to its start.
        let run: Int
        /// The start by the durations of the playlist.
        let stated: Rational
        /// The start of the main track by its timestamps; nil if it is unknown.
        let start: Rational?

        /// The offset from playlist time to media time.
        var offset: Rational? { start.map { $0 - stated } }
    }

    private(set) var points: [Point] = []

    init(_ subject: MediaSubject) {
        let facts = Dictionary(subject.segments.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var (stated, run) = (Rational.zero, subject.playlist.discontinuitySequence)
        for (number, entry) in subject.playlist.segments.enumerated() {
            if number > 0, entry.startsDiscontinuity { run = run.addingReportingOverflow(1).partialValue }
            if let segment = facts[number] {
                let start = segment.failure == nil ? segment.mainTrack?.start : nil
                points.append(Point(segment: segment, entry: entry, run: run, stated: stated, start: start))
            }
            stated += entry.duration
        }
    }

    /// The points grouped by discontinuity.
    var runs: [[Point]] {
        Dictionary(grouping: points, by: \.run).sorted { $0.key < $1.key }.map(\.value)
    }

    /// A difference of times, corrected for wraps of the 33-bit 90 kHz clock in either direction.
    static func near(_ difference: Rational) -> Rational {
        let wrap = Rational(1 << 33, 90_000)
        let turns = (difference.seconds / wrap.seconds).rounded()
        guard abs(turns) < 1_000_000 else { return difference }
        return difference - wrap * Rational(Int64(turns))
    }
}
