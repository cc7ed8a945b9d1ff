internal import SegueBase
internal import SeguePlaylists

/// The availability of segments and its effect on a player.
extension PlaylistWatch {
    /// Gives new segments to the model of a player, and probes them.
    mutating func play(_ former: PlaylistState, _ added: Range<Int>, _ update: inout PlaylistUpdate) {
        let (playlist, response) = (update.playlist, update.response)
        let probed = probeSegments(Array(added.suffix(source.isIFrames ? 1 : SegmentChecks.loadLimit)), &update)
        var found = stalls.drop(before: playlist.mediaSequence)
        if playlist.partTarget != nil {
            let open = [former.playlist, playlist].map { $0.openParts.reduce(0) { $0 + $1.duration.seconds } }
            let whole = added.reduce(0) { $0 + playlist.segments[$1 - playlist.mediaSequence].duration.seconds }
            let grown = whole + open[1] - open[0]
            if grown != 0, let stall = stalls.grow(by: grown, at: response.ended) { found.append(stall) }
            if open[1] > 0, open[0] == 0 || whole > 0 {
                let base = URIReference.Base(response.finalURL)
                update.requests += probes.segments.part(playlist, base, at: response.ended)
            }
        } else {
            for number in added {
                let segment = playlist.segments[number - playlist.mediaSequence]
                stalls.expect(number, seconds: segment.duration.seconds)
                if !probed.contains(number) { found += stalls.use(number, since: response.ended) }
            }
        }
        update.breaches += breaches(of: found)
    }

    private mutating func breaches(of stalls: [StallModel.Stall]) -> [Breach] {
        stalls.map { stall in
            figures.stalls += 1
            figures.stallSeconds += stall.seconds
            return Breach(LiveRules.stall, "a player would stall for \(DisplayText.seconds(stall.seconds))")
        }
    }

    /// Probes segments; returns the numbers of those with a request.
    mutating func probeSegments(_ numbers: [Int], _ update: inout PlaylistUpdate) -> Set<Int> {
        guard source.options.checksSegments else { return [] }
        let (playlist, response) = (update.playlist, update.response)
        let wanted = numbers.filter { !playlist.segments[$0 - playlist.mediaSequence].isGap }
        let base = URIReference.Base(response.finalURL)
        let requests = probes.segments.listed(wanted, playlist, base, at: response.ended)
        update.requests += requests.map(\.request)
        return Set(requests.map(\.number))
    }

    /// Compares the date of the end with the clock.
    mutating func compareWithClock(_ update: inout PlaylistUpdate) {
        guard let clock = source.clock, let end = state?.endDate, !update.playlist.hasEndList else { return }
        let behind = clock + update.response.ended.seconds - end
        if !source.isIFrames { figures.latency = behind }
        let breach = ClockComparison.breach(behind: behind)
        update.breaches += reported.once("date-clock", breach.map { [$0] } ?? [])
    }

    /// Returns the requests for parts that are due.
    mutating func partRequests(at now: Instant) -> [WatchRequest] {
        guard source.options.checksSegments, source.isBlocking, let state else { return [] }
        return probes.parts.requests(state.playlist, state.base, at: now)
    }

    /// Handles the response of a probe.
    mutating func check(_ response: WatchResponse) -> WatchStep {
        if response.method == .get {
            return WatchStep(findings: probes.parts.take(response).map { finding($0, response.ended) })
        }
        if response.method == .firstByte, probes.hints.awaits(response.url) {
            probes.hints.take(response, in: state?.playlist)
            return WatchStep()
        }
        let outcome = probes.segments.take(response, in: state)
        var found = outcome.breaches
        if let number = outcome.usable {
            found += breaches(of: stalls.use(number, since: outcome.since ?? response.ended))
        }
        return WatchStep(requests: outcome.requests, findings: found.map { finding($0, response.ended) })
    }

    /// Returns the findings at the end of the watch.
    mutating func finish(at now: Instant) -> [LiveFinding] {
        guard let state, !state.playlist.hasEndList, let stall = stalls.open(at: now) else { return [] }
        return breaches(of: [stall]).map { finding($0, now) }
    }
}
