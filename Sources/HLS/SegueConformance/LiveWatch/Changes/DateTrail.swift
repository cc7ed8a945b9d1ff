internal import SegueBase
internal import SeguePlaylists

/// Follows the dates of segments over all that is added.
struct DateTrail: Sendable {
    /// Where the last segment ended, in seconds since 1970.
    private var end: Double?
    /// Where what drifts is counted from, and how much was listed since.
    private var base: Double?
    private var elapsed = 0.0

    /// What playlists round dates and durations to, and the sub-second overlaps that clocks may have.
    private static let tolerance = 1.0

    /// Forgets what came before.
    mutating func forget() { self = DateTrail() }

    /// The date of the beginning of the next segment, and what it breaks.
    mutating func add(_ segment: MediaSegment, _ number: Int) -> (date: Double?, breaches: [Breach]) {
        let seconds = segment.duration.seconds
        guard let said = segment.programDateTime.flatMap(ProgramDate.seconds) else {
            let date = end
            end = date.map { $0 + seconds }
            elapsed += seconds
            return (date, [])
        }
        defer {
            end = said + seconds
            elapsed += seconds
        }
        guard let before = end, let base else {
            begin(at: said)
            return (said, [])
        }
        let step = said - before
        if step <= -Self.tolerance {
            begin(at: said)
            let text = "its date is \(words(-step)) before the end of the one before it"
            return (said, [Breach(LiveRules.dateOverlap, text, segment: number)])
        }
        if segment.startsDiscontinuity {
            begin(at: said)
            return (said, [])
        }
        if step >= Self.tolerance {
            begin(at: said)
            let text = "its date is \(words(step)) after the end of the one before it"
            return (said, [Breach(LiveRules.dateJump, text, segment: number)])
        }
        let drift = said - base - elapsed
        guard abs(drift) >= Self.tolerance else { return (said, []) }
        let text = "dates have gone on by \(words(said - base)), durations by \(words(elapsed))"
        begin(at: said)
        return (said, [Breach(LiveRules.dateDrift, text, segment: number)])
    }

    private mutating func begin(at date: Double) { (base, elapsed) = (date, 0) }
}
