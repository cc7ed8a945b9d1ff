internal import SegueBase
internal import SeguePlaylists

/// Where each segment of a playlist lies by the playlist and by its own timestamps.
struct MediaLine {
    /// A segment on both lines.
    struct Point {
        let segment: SegmentFacts
        let entry: MediaSegment
        /// How many discontinuities come before it or with it.
        let run: Int
        /// When it begins, by the durations that the playlist says.
        let said: Rational
        /// When its main track begins, by its timestamps; nil where they do not tell.
        let start: Rational?

        /// What is added to the playlist's time for the media's.
        var offset: Rational? { start.map { $0 - said } }
    }

    private(set) var points: [Point] = []

    init(_ subject: MediaSubject) {
        let facts = Dictionary(subject.segments.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        var (said, run) = (Rational.zero, subject.playlist.discontinuitySequence)
        for (number, entry) in subject.playlist.segments.enumerated() {
            if number > 0, entry.startsDiscontinuity { run = run.addingReportingOverflow(1).partialValue }
            if let segment = facts[number] {
                let start = segment.failure == nil ? segment.mainTrack?.start : nil
                points.append(Point(segment: segment, entry: entry, run: run, said: said, start: start))
            }
            said += entry.duration
        }
    }

    /// The points without a discontinuity between them.
    var runs: [[Point]] {
        Dictionary(grouping: points, by: \.run).sorted { $0.key < $1.key }.map(\.value)
    }

    /// A difference of times of a clock that may have wrapped at 33 bits of 90 kHz between them, either way.
    static func near(_ difference: Rational) -> Rational {
        let wrap = Rational(1 << 33, 90_000)
        if difference > wrap / Rational(2) { return difference - wrap }
        return SegmentRules.unwrapped(difference)
    }
}
