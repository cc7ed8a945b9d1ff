internal import SegueBase
internal import SeguePlaylists

/// When the playlist is loaded, and what is done when it cannot be.
extension PlaylistWatch {
    mutating func fail(_ answer: WatchAnswer, _ asked: Directives, took: Double, patience: Double) -> WatchStep {
        if asked.sequence != nil, took > patience - 1, answer.status == 503 || answer.status == 0 {
            // To give up after so long is what a server is to do, with 503.
            waitedInVain = true
            var step = WatchStep(requests: [request(Directives(), at: answer.ended)])
            if answer.status == 0 {
                let text = "there is no answer after \(words(took))"
                step.findings = once("block-end", [Breach(LiveRules.blockEnd, text)]).map { finding($0, answer.ended) }
            }
            return step
        }
        return fail(answer, Breach(LiveRules.reload, answer.trouble))
    }

    mutating func fail(_ answer: WatchAnswer, _ breach: Breach) -> WatchStep {
        failures += 1
        figures.failures += 1
        if let newsAt { figures.staleSeconds = max(0, (answer.began - newsAt).seconds) }
        let wait = failures > 10 ? 30 : min((state?.playlist.target ?? 4) / 2, 5)
        var step = WatchStep(requests: [request(Directives(), at: answer.ended + .seconds(wait))])
        // At the first, second, fourth time and so on.
        guard failures & (failures - 1) == 0 else { return step }
        let text = breach.message + (failures > 1 ? ", \(failures) times in a row" : "")
        step.findings = [finding(Breach(breach.rule, text), answer.ended)]
        return step
    }

    /// The next load: as a player would, RFC 8216bis, 6.3.4.
    func next(after answer: WatchAnswer, _ asked: Directives, changed: Bool) -> WatchRequest {
        guard let playlist = state?.playlist else { return request(Directives(), at: answer.ended + .seconds(1)) }
        let target = min(max(playlist.target, beat), 60)
        if playlist.hasEndList { return request(Directives(), at: answer.ended + .seconds(target)) }
        var directives = Directives()
        if playlist.serverControl?.canSkipUntil != nil, loads % 8 == 7 { directives.skips = true }
        if isBlocking, playlist.serverControl?.canBlockReload ?? false, !waitedInVain {
            directives.sequence = playlist.nextSequence
            if playlist.partTarget != nil { directives.part = playlist.openParts.count }
            return request(directives, at: answer.ended)
        }
        let last = isIFrames ? target : playlist.segments.last?.duration.seconds ?? target
        let wait = changed ? min(max(last, 0.5), target) : max(target / 2, 0.5)
        return request(directives, at: max(answer.began + .seconds(wait), answer.ended + .seconds(0.2)))
    }

    func request(_ directives: Directives, at now: Instant) -> WatchRequest {
        let target = state?.playlist.target ?? 6
        let patience = directives.sequence == nil ? min(max(2 * target, 10), 60) : min(3 * target + 5, 600)
        return WatchRequest(
            method: .get,
            url: directives.added(to: url),
            at: now,
            patience: .seconds(patience),
            mayBlock: directives.sequence != nil
        )
    }
}
