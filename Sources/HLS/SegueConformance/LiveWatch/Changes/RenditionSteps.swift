internal import SegueBase
internal import SeguePlaylists

/// Compares the media playlists of one stream.
struct RenditionSteps: Sendable {
    /// How far a playlist had come with one of its last loads, and how far it said that others had.
    private struct Progress {
        let ended: Instant
        let end: Double?
        let lastMSN: Int
        let reports: [(url: String, msn: Int, part: Int?)]
    }

    /// The last loads of each; those that go on at the same time have to be compared with what was before.
    private var progress: [Int: [Progress]] = [:]
    private static let kept = 3

    /// Those that were found behind, until they are not.
    private var behind: Set<Int> = []
    /// Those that were found to count otherwise, until they do not.
    private var different: Set<Int> = []

    /// The last segment of each of which a part was reported that it has not.
    private var accused: [Int: Int] = [:]

    /// A clock's and a server's last digits.
    private static let tolerance = 0.5

    /// What a playlist that was loaded just now breaks beside the others.
    mutating func findings(of index: Int, in playlists: [PlaylistWatch], at now: Instant) -> [LiveFinding] {
        guard playlists.count > 1, let own = playlists[index].state, own.ended == now else { return [] }
        defer { note(index, own) }
        guard !playlists[index].figures.hasEnded else { return [] }
        return lag(of: index, own, playlists, now) + count(of: index, own, playlists, now)
            + reports(of: index, own, playlists, now)
    }

    private mutating func note(_ index: Int, _ own: PlaylistState) {
        let reports = own.playlist.renditionReports.compactMap { report in
            report.lastMSN.map { (Directives.taken(from: own.base.resolve(report.uri)).url, $0, report.lastPart) }
        }
        let latest = Progress(ended: own.ended, end: own.endDate, lastMSN: own.lastMSN, reports: reports)
        progress[index] = ((progress[index] ?? []) + [latest]).suffix(Self.kept)
    }

    /// How far another had come before a playlist was asked for.
    private func progress(of index: Int, before own: PlaylistState) -> Progress? {
        progress[index]?.last { $0.ended <= own.began }
    }

    /// Knows no more of a playlist that is no longer watched.
    mutating func forget(_ index: Int) {
        progress[index] = nil
        behind.remove(index)
        different.remove(index)
        accused[index] = nil
    }

    private mutating func lag(
        of index: Int,
        _ own: PlaylistState,
        _ playlists: [PlaylistWatch],
        _ now: Instant
    ) -> [LiveFinding] {
        var worst: (seconds: Double, url: String)?
        for (number, other) in playlists.enumerated() where number != index {
            // Only what another had before this one was asked for is missing here.
            guard let end = own.endDate, let otherEnd = progress(of: number, before: own)?.end, let state = other.state
            else { continue }
            let seconds = otherEnd - end
            if seconds > Self.allowed(own.playlist, state.playlist) + Self.tolerance, seconds > worst?.seconds ?? 0 {
                worst = (seconds, other.url)
            }
        }
        guard let worst else {
            behind.remove(index)
            return []
        }
        guard behind.insert(index).inserted else { return [] }
        let message = "it ends \(words(worst.seconds)) before what \(worst.url) had already"
        return [finding(LiveRules.inStep, playlists[index].url, message, now)]
    }

    /// How much one may lack of what the other has, in seconds.
    ///
    /// How long the last I-frame stands is known with the next one,
    /// and not all packagers list it before.
    private static func allowed(_ own: MediaPlaylist, _ other: MediaPlaylist) -> Double {
        guard own.isIFramesOnly || other.isIFramesOnly else { return min(own.target, other.target) }
        let last = own.isIFramesOnly ? own.segments.last?.duration.seconds ?? 0 : 0
        return max(own.target, other.target) + last
    }

    private mutating func count(
        of index: Int,
        _ own: PlaylistState,
        _ playlists: [PlaylistWatch],
        _ now: Instant
    ) -> [LiveFinding] {
        for (number, other) in playlists.enumerated() where number != index {
            guard let state = other.state, let pair = Self.common(own, state), pair.own != pair.other else { continue }
            guard different.insert(index).inserted else { return [] }
            let message =
                "discontinuity sequence number \(pair.own) at \(words(pair.date)) since 1970, and \(pair.other) in "
                + other.url
            return [finding(LiveRules.sameDiscontinuities, playlists[index].url, message, now)]
        }
        different.remove(index)
        return []
    }

    /// The discontinuity sequence numbers of two playlists at the last date that both have.
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

    /// Looks whether what is said of others is true, and what others said of this one.
    private mutating func reports(
        of index: Int,
        _ own: PlaylistState,
        _ playlists: [PlaylistWatch],
        _ now: Instant
    ) -> [LiveFinding] {
        var found: [LiveFinding] = []
        for report in own.playlist.renditionReports {
            let url = Directives.taken(from: own.base.resolve(report.uri)).url
            guard let msn = report.lastMSN, let number = playlists.firstIndex(where: { $0.url == url }),
                number != index,
                let had = progress(of: number, before: own)?.lastMSN, msn < had - 1
            else { continue }
            let message = "it says that \(url) has come to segment \(msn), which had \(had) before"
            found.append(finding(LiveRules.report, playlists[index].url, message, now))
        }
        for (number, other) in playlists.enumerated() where number != index {
            // What was said before this one was asked for must be there by now.
            guard
                let said = progress(of: number, before: own)?.reports.first(where: { $0.url == playlists[index].url })
            else { continue }
            if said.msn > own.lastMSN {
                let message = "it says that \(said.url) has come to segment \(said.msn), which has \(own.lastMSN)"
                found.append(finding(LiveRules.report, other.url, message, now))
            } else if let part = said.part, let count = Self.parts(of: said.msn, own.playlist), part >= count,
                accused[number] != said.msn
            {
                accused[number] = said.msn
                let message =
                    "it says that \(said.url) has come to part \(part) of segment \(said.msn), which has \(count)"
                found.append(finding(LiveRules.report, other.url, message, now))
            }
        }
        return found
    }

    /// How many parts a segment has; nil where it is not whole, or some may be listed no longer.
    private static func parts(of number: Int, _ playlist: MediaPlaylist) -> Int? {
        guard let segment = playlist.segment(number), let before = playlist.segment(number - 1),
            !segment.parts.isEmpty, !before.parts.isEmpty
        else { return nil }
        return segment.parts.count
    }

    private func finding(_ rule: Rule, _ url: String, _ message: String, _ now: Instant) -> LiveFinding {
        LiveFinding(at: now, broken: BrokenRule(rule: rule, place: Place(url: url), message: message))
    }
}
