internal import SegueBase
internal import SeguePlaylists

/// Compares the progress of the media playlists of one stream.
struct RenditionSteps: Sendable {
    /// The progress of a playlist at one load, and its reports on other playlists.
    private struct Progress {
        let ended: Instant
        let end: Double?
        let lastMSN: Int
        let reports: [(url: String, msn: Int, part: Int?)]
    }

    /// A playlist that was just loaded, among all of the stream.
    private struct Load {
        let index: Int
        let own: PlaylistState
        let playlists: [PlaylistWatch]
        let now: Instant

        var url: String { playlists[index].url }
        var others: [(number: Int, watch: PlaylistWatch)] {
            playlists.enumerated().filter { $0.offset != index }.map { ($0.offset, $0.element) }
        }

        func finding(_ breach: Breach, at url: String) -> LiveFinding {
            LiveFinding(at: now, broken: breach.broken(at: Place(url: url)))
        }
    }

    /// The last loads of each playlist.
    ///
    /// Parallel loads are compared with earlier ones.
    private var progress: [Int: [Progress]] = [:]
    private static let kept = 3

    /// The playlists that were reported as lagging.
    private var behind: Set<Int> = []
    /// The playlists that were reported for other discontinuity numbers.
    private var different: Set<Int> = []

    /// The segment of the last wrong part report of each playlist.
    private var misreported: [Int: Int] = [:]

    /// The tolerance for clocks and rounding in seconds.
    private static let tolerance = 0.5

    /// Compares a playlist that was just loaded with the others.
    mutating func findings(of index: Int, in playlists: [PlaylistWatch], at now: Instant) -> [LiveFinding] {
        guard playlists.count > 1, let own = playlists[index].state, own.ended == now else { return [] }
        defer { note(index, own) }
        guard !playlists[index].figures.hasEnded else { return [] }
        let load = Load(index: index, own: own, playlists: playlists, now: now)
        return lag(of: load) + count(of: load) + reports(of: load)
    }

    private mutating func note(_ index: Int, _ own: PlaylistState) {
        let reports = own.playlist.renditionReports.compactMap { report in
            report.lastMSN.map { (Directives.split(own.base.resolve(report.uri)).url, $0, report.lastPart) }
        }
        let latest = Progress(ended: own.ended, end: own.endDate, lastMSN: own.lastMSN, reports: reports)
        progress[index] = ((progress[index] ?? []) + [latest]).suffix(Self.kept)
    }

    /// Returns the progress of another playlist before a load started.
    private func progress(of index: Int, before own: PlaylistState) -> Progress? {
        progress[index]?.last { $0.ended <= own.began }
    }

    /// Forgets a playlist that is no longer watched.
    mutating func forget(_ index: Int) {
        progress[index] = nil
        behind.remove(index)
        different.remove(index)
        misreported[index] = nil
    }

    private mutating func lag(of load: Load) -> [LiveFinding] {
        let (index, own) = (load.index, load.own)
        var worst: (seconds: Double, limit: Double, url: String)?
        for (number, other) in load.others {
            // Only content that the other playlist had before this load can be missing.
            guard let end = own.endDate, let otherEnd = progress(of: number, before: own)?.end, let state = other.state
            else { continue }
            let seconds = otherEnd - end
            let limit = Self.allowed(own.playlist, state.playlist)
            if seconds > limit + Self.tolerance, seconds > worst?.seconds ?? 0 { worst = (seconds, limit, other.url) }
        }
        guard let worst else {
            behind.remove(index)
            return []
        }
        guard behind.insert(index).inserted else { return [] }
        let comparison = Comparison(
            "the playlist lags \(value: worst.url) by",
            worst.seconds,
            expected: .atMost(worst.limit),
            unit: .seconds,
            origin: "by the target duration"
        )
        return [load.finding(Breach(LiveRules.inStep, comparison), at: load.url)]
    }

    /// Returns the allowed lag in seconds.
    ///
    /// The duration of the last I-frame is only known with the next one, and not all packagers list it before.
    private static func allowed(_ own: MediaPlaylist, _ other: MediaPlaylist) -> Double {
        guard own.isIFramesOnly || other.isIFramesOnly else { return min(own.target, other.target) }
        let last = own.isIFramesOnly ? own.segments.last?.duration.seconds ?? 0 : 0
        return max(own.target, other.target) + last
    }

    private mutating func count(of load: Load) -> [LiveFinding] {
        let (index, own) = (load.index, load.own)
        for (_, other) in load.others {
            guard let state = other.state, let pair = Self.common(own, state), pair.own != pair.other else { continue }
            guard different.insert(index).inserted else { return [] }
            let message: Message =
                "the discontinuity sequence number at \(DisplayText.seconds(pair.date)) since 1970 is \(pair.own), in "
                + "\(value: other.url) it is \(pair.other)"
            return [load.finding(Breach(LiveRules.sameDiscontinuities, message), at: load.url)]
        }
        different.remove(index)
        return []
    }

    /// Returns the discontinuity sequence numbers of two playlists at the last common date.
    private static func common(
        _ own: PlaylistState,
        _ other: PlaylistState
    ) -> (own: Int, other: Int, date: Double)? {
        guard let end = own.endDate, let otherEnd = other.endDate else { return nil }
        // The middle of the last segment of the one that ends first.
        let (first, second) = end <= otherEnd ? (own, other) : (other, own)
        guard let last = first.segments.indices.last, let date = first.segments[last].date else { return nil }
        let middle = date + first.playlist.segments[last].duration.seconds / 2
        let place = second.segments.indices.last { second.segments[$0].date.map { $0 <= middle } ?? false }
        guard let place, let begin = second.segments[place].date,
            middle < begin + second.playlist.segments[place].duration.seconds
        else { return nil }
        let numbers = (first.segments[last].discontinuity, second.segments[place].discontinuity)
        return end <= otherEnd ? (numbers.0, numbers.1, middle) : (numbers.1, numbers.0, middle)
    }

    /// Checks the reports on other playlists, and the reports of others on this one.
    private mutating func reports(of load: Load) -> [LiveFinding] {
        let (index, own) = (load.index, load.own)
        var found: [LiveFinding] = []
        for report in own.playlist.renditionReports {
            let url = Directives.split(own.base.resolve(report.uri)).url
            guard let msn = report.lastMSN, let number = load.playlists.firstIndex(where: { $0.url == url }),
                number != index,
                let had = progress(of: number, before: own)?.lastMSN, msn < had - 1
            else { continue }
            let message: Message = "the report states segment \(msn) for \(value: url), which had segment \(had) before"
            found.append(load.finding(Breach(LowLatencyRules.report, message), at: load.url))
        }
        for (number, other) in load.others {
            // Reports from before the load must be true by now.
            guard
                let report = progress(of: number, before: own)?.reports.first(where: { $0.url == load.url })
            else { continue }
            if report.msn > own.lastMSN {
                let message: Message =
                    "the report states segment \(report.msn) for \(value: report.url), which has \(own.lastMSN)"
                found.append(load.finding(Breach(LowLatencyRules.report, message), at: other.url))
            } else if let part = report.part, let count = Self.parts(of: report.msn, own.playlist), part >= count,
                misreported[number] != report.msn
            {
                misreported[number] = report.msn
                let message: Message =
                    "the report states part \(part) of segment \(report.msn) for \(value: report.url), which has \(count) parts"
                found.append(load.finding(Breach(LowLatencyRules.report, message), at: other.url))
            }
        }
        return found
    }

    /// Returns the number of parts of a complete segment; nil if some may no longer be listed.
    private static func parts(of number: Int, _ playlist: MediaPlaylist) -> Int? {
        guard let segment = playlist.segment(number), let before = playlist.segment(number - 1),
            !segment.parts.isEmpty, !before.parts.isEmpty
        else { return nil }
        return segment.parts.count
    }
}
