internal import SegueBase
internal import SeguePlaylists

/// Follows the dates of segments over all versions.
struct DateTrail: Sendable {
    /// The date of the end of the last segment in seconds since 1970.
    private var end: Double?
    /// The date from which drift is measured, and the duration of the segments since then.
    private var base: Double?
    private var elapsed = 0.0

    /// The tolerance for rounding and clock drift in seconds.
    private static let tolerance = 1.0

    mutating func forget() { self = DateTrail() }

    /// Adds the next segment; returns the date of its start and the breaches.
    mutating func add(_ segment: MediaSegment, _ number: Int) -> (date: Double?, breaches: [Breach]) {
        let seconds = segment.duration.seconds
        guard let stated = segment.programDateTime.flatMap(ProgramDate.seconds) else {
            let date = end
            end = date.map { $0 + seconds }
            elapsed += seconds
            return (date, [])
        }
        defer {
            end = stated + seconds
            elapsed += seconds
        }
        guard let before = end, let base else {
            begin(at: stated)
            return (stated, [])
        }
        let step = stated - before
        if step <= -Self.tolerance {
            begin(at: stated)
            let message: Message = "the date is \(DisplayText.seconds(-step)) before the end of the previous segment"
            return (stated, [Breach(LiveRules.dateOverlap, message, segment: number)])
        }
        if segment.startsDiscontinuity {
            begin(at: stated)
            return (stated, [])
        }
        if step >= Self.tolerance {
            begin(at: stated)
            let message: Message = "the date is \(DisplayText.seconds(step)) after the end of the previous segment"
            return (stated, [Breach(LiveRules.dateJump, message, segment: number)])
        }
        let drift = stated - base - elapsed
        guard abs(drift) >= Self.tolerance else { return (stated, []) }
        let comparison = Comparison(
            "the dates advance by",
            stated - base,
            expected: .equal(elapsed),
            unit: .seconds,
            origin: "by the segment durations"
        )
        begin(at: stated)
        return (stated, [Breach(LiveRules.dateDrift, comparison, segment: number)])
    }

    private mutating func begin(at date: Double) { (base, elapsed) = (date, 0) }
}
