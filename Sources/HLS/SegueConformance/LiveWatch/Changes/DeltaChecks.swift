internal import SegueBase
internal import SeguePlaylists

/// The checks of delta updates against whole playlists.
struct DeltaChecks: Sendable {
    /// The tolerance for rounded durations in seconds.
    private static let rounding = 0.1

    /// The breaches of a delta update, until the whole playlist confirms them.
    private var doubts: [Breach] = []
    private var reported = ReportedConditions()

    /// True until the whole playlist confirms an update.
    var isInDoubt: Bool { !doubts.isEmpty }

    /// Keeps the breaches of an update: the next load is the whole playlist, which shows if the update or the playlist
    /// is wrong.
    mutating func doubt(_ breaches: [Breach]) { doubts = breaches }

    mutating func forget() { doubts = [] }

    /// Checks the boundary of a delta update.
    ///
    /// - Parameters:
    ///   - playlist: The whole playlist after the update.
    ///   - count: The number of skipped segments; nil if the response was not an update.
    /// - Returns: The breaches.
    mutating func skipped(_ playlist: MediaPlaylist, _ count: Int?) -> [Breach] {
        guard !playlist.hasEndList, let until = playlist.serverControl?.canSkipUntil?.seconds else { return [] }
        guard let count else {
            guard playlist.duration.seconds > until + playlist.target else { return [] }
            let breach = Breach(LowLatencyRules.deltaGiven, "_HLS_skip returned the whole playlist")
            return reported.once("delta-given", [breach])
        }
        guard count > 0, playlist.segments.indices.contains(count - 1) else { return [] }
        let breach = Self.boundary(playlist, skipping: count, until: until)
        return reported.once("delta-boundary", breach.map { [$0] } ?? [])
    }

    /// Returns the doubts about a delta update that the whole playlist does not share.
    mutating func confirmed(by changes: [Breach]) -> [Breach] {
        defer { doubts = [] }
        return doubts.filter { doubt in !changes.contains { $0.rule == doubt.rule } }.map {
            Breach(
                LowLatencyRules.delta,
                "the delta update differs from the whole playlist: \($0.message)",
                segment: $0.segment
            )
        }
    }

    /// Returns a breach if the last skipped segment is nearer to the end than `CAN-SKIP-UNTIL`.
    private static func boundary(_ playlist: MediaPlaylist, skipping count: Int, until: Double) -> Breach? {
        let later = playlist.segments[(count - 1)...].reduce(0) { $0 + $1.duration.seconds }
        let begin = later + playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
        // A segment on the boundary may be on either side.
        guard begin < until - rounding else { return nil }
        let comparison = Comparison(
            "a skipped segment starts before the end by",
            begin,
            expected: .atLeast(until),
            unit: .seconds,
            origin: "by CAN-SKIP-UNTIL"
        )
        return Breach(LowLatencyRules.deltaBoundary, comparison, segment: playlist.mediaSequence + count - 1)
    }
}
