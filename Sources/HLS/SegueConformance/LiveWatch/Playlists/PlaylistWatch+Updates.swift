internal import SegueBase
internal import SeguePlaylists

/// What delta updates make, and what is done when they make it wrong.
extension PlaylistWatch {
    /// What the answer to a load that asked for a delta update breaks.
    ///
    /// - Parameters:
    ///   - playlist: The whole that it makes.
    ///   - count: How many segments it leaves out; nil where it is no update.
    /// - Returns: What is broken.
    mutating func skipped(_ playlist: MediaPlaylist, _ count: Int?) -> [Breach] {
        guard !playlist.hasEndList, let until = playlist.serverControl?.canSkipUntil?.seconds else { return [] }
        guard let count else {
            guard playlist.duration.seconds > until + playlist.target else { return [] }
            return once("delta-given", [Breach(LiveRules.deltaGiven, "it is the whole playlist")])
        }
        guard count > 0, playlist.segments.indices.contains(count - 1) else { return [] }
        let later = playlist.segments[(count - 1)...].reduce(0) { $0 + $1.duration.seconds }
        let begin = later + playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
        // One that lies on the boundary may be on either side, and durations are rounded.
        guard begin < until - Self.rounding else { return once("delta-boundary", []) }
        let (distance, boundary) = words(begin, besides: until)
        let text = "it is left out, and begins \(distance) from the end; CAN-SKIP-UNTIL is \(boundary)"
        let number = playlist.mediaSequence + count - 1
        return once("delta-boundary", [Breach(LiveRules.deltaBoundary, text, segment: number)])
    }

    /// What rounding takes and gives of a few segments' durations, in seconds.
    private static let rounding = 0.1

    /// Has the whole playlist come after an update that does not fit.
    mutating func refuse(_ breach: Breach, _ answer: WatchAnswer) -> WatchStep {
        loads += 1
        figures.reloads += 1
        return WatchStep(
            requests: [request(Directives(), at: answer.ended)],
            findings: [finding(breach, answer.ended)]
        )
    }

    /// What an update was doubted for that the whole playlist does not say.
    mutating func settled(by changes: [Breach]) -> [Breach] {
        defer { doubts = [] }
        return doubts.filter { doubt in !changes.contains { $0.rule == doubt.rule } }.map {
            Breach(LiveRules.delta, "the update says otherwise than the whole: \($0.message)", segment: $0.segment)
        }
    }
}
