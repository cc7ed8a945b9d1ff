internal import SegueBase
internal import SeguePlaylists

/// Monitors the intervals between new segments and parts of one playlist.
struct NewsMonitor: Sendable {
    /// The network delay that a response may have, in seconds.
    static let transfer = 0.5

    /// The longest target duration of the other playlists in seconds.
    var beat = 0.0
    private var lastSegment: Instant?
    private var lastPart: Instant?
    /// The age of the last segment at the last report; the next report follows when it has doubled.
    private var reportedAge: Double?

    /// True while a reported delay lasts.
    var isLate: Bool { reportedAge != nil }

    mutating func start(at instant: Instant) { (lastSegment, reportedAge, lastPart) = (instant, nil, nil) }

    /// The age of the last new segment in seconds; nil before the first load.
    func age(at instant: Instant) -> Double? { lastSegment.map { max(0, (instant - $0).seconds) } }

    /// Checks a load without a change.
    mutating func unchanged(_ response: WatchResponse, target: Double, _ figures: inout WatchFigures) -> [Breach] {
        guard let lastSegment else { return [] }
        return stale(for: (response.began - lastSegment).seconds, target, &figures)
    }

    private mutating func stale(for seconds: Double, _ target: Double, _ figures: inout WatchFigures) -> [Breach] {
        figures.staleSeconds = max(0, seconds)
        let limit = 1.5 * max(target, beat)
        guard seconds > (reportedAge.map { $0 * 2 } ?? limit) else { return [] }
        reportedAge = seconds
        return [late("the age of the last new segment is", seconds, limit: limit)]
    }

    private func late(_ subject: Message, _ seconds: Double, limit: Double, segment: Int? = nil) -> Breach {
        Breach(
            LiveRules.news,
            Comparison(subject, seconds, expected: .atMost(limit), unit: .seconds, origin: "(1.5 target durations)"),
            segment: segment
        )
    }

    /// Checks a load with a change.
    mutating func changed(
        _ update: PlaylistUpdate,
        from former: PlaylistState,
        addedSegments: Int,
        _ figures: inout WatchFigures
    ) -> [Breach] {
        let (playlist, response) = (update.playlist, update.response)
        // The news did not exist when the previous load started; after a blocking reload, it appeared at its end.
        let appeared =
            update.asked.sequence == nil
            ? former.began : max(former.began, response.ended + .seconds(-Self.transfer))
        var breaches: [Breach] = []
        if addedSegments > 0 {
            let gap = lastSegment.map { (appeared - $0).seconds } ?? 0
            let limit = 1.5 * max(playlist.target, beat)
            if gap > limit {
                breaches.append(
                    late("a new segment appeared after", gap, limit: limit, segment: playlist.nextSequence - 1)
                )
            }
            (lastSegment, reportedAge) = (response.ended, nil)
            figures.staleSeconds = 0
        } else if let lastSegment, !playlist.hasEndList {
            breaches += stale(for: (appeared - lastSegment).seconds, playlist.target, &figures)
        }
        let hasNewPart = playlist.openParts.count > former.playlist.openParts.count
        guard let target = playlist.partTarget?.seconds, !playlist.hasEndList, addedSegments > 0 || hasNewPart else {
            return breaches
        }
        if let lastPart {
            let gap = (appeared - lastPart).seconds
            breaches += partBreaches(gap, target: target, in: playlist)
            figures.partGap = max(figures.partGap ?? 0, gap)
        }
        lastPart = response.ended
        return breaches
    }

    private func partBreaches(_ gap: Double, target: Double, in playlist: MediaPlaylist) -> [Breach] {
        var breaches: [Breach] = []
        if gap > target + Self.transfer {
            let comparison = Comparison(
                "a new part appeared after",
                gap,
                expected: .atMost(target),
                unit: .seconds,
                origin: "by the part target"
            )
            breaches.append(Breach(LowLatencyRules.partNews, comparison))
        }
        if let back = playlist.serverControl?.partHoldBack?.seconds, gap > back {
            let comparison = Comparison(
                "the interval between two parts is",
                gap,
                expected: .atMost(back),
                unit: .seconds,
                origin: "by PART-HOLD-BACK"
            )
            breaches.append(Breach(LowLatencyRules.holdBack, comparison))
        }
        return breaches
    }
}
