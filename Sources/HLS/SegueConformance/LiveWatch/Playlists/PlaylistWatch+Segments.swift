internal import SegueBase
internal import SeguePlaylists

/// What a player would have, and when.
extension PlaylistWatch {
    /// Hands the player what is new, and looks whether it is there.
    mutating func play(
        _ former: PlaylistState,
        _ playlist: MediaPlaylist,
        _ added: Range<Int>,
        _ answer: WatchAnswer,
        _ breaches: inout [Breach],
        _ step: inout WatchStep
    ) {
        let sought = look(
            for: Array(added.suffix(isIFrames ? 1 : SegmentChecks.mostAtOnce)),
            of: playlist,
            answer,
            &step
        )
        var found = stalls.drop(before: playlist.mediaSequence)
        if playlist.partTarget != nil {
            let open = [former.playlist, playlist].map { $0.openParts.reduce(0) { $0 + $1.duration.seconds } }
            let whole = added.reduce(0) { $0 + playlist.segments[$1 - playlist.mediaSequence].duration.seconds }
            let grown = whole + open[1] - open[0]
            if grown != 0, let stall = stalls.grow(by: grown, at: answer.ended) { found.append(stall) }
            if open[1] > 0, open[0] == 0 || whole > 0 {
                step.requests += checks.part(playlist, URIReference.Base(answer.finalURL), at: answer.ended)
            }
        } else {
            for number in added {
                let segment = playlist.segments[number - playlist.mediaSequence]
                stalls.expect(number, seconds: segment.duration.seconds)
                if !sought.contains(number) { found += stalls.use(number, since: answer.ended) }
            }
        }
        breaches += told(found)
    }

    mutating func told(_ stalls: [StallModel.Stall]) -> [Breach] {
        stalls.map { stall in
            figures.stalls += 1
            figures.stallSeconds += stall.seconds
            return Breach(LiveRules.stall, "a player would have stood still for \(words(stall.seconds))")
        }
    }

    /// Looks whether segments are there; those that are looked for.
    mutating func look(
        for numbers: [Int],
        of playlist: MediaPlaylist,
        _ answer: WatchAnswer,
        _ step: inout WatchStep
    ) -> Set<Int> {
        guard options.checksSegments else { return [] }
        let sought = numbers.filter { !playlist.segments[$0 - playlist.mediaSequence].isGap }
        let requests = checks.listed(sought, playlist, URIReference.Base(answer.finalURL), at: answer.ended)
        step.requests += requests.map(\.request)
        return Set(requests.map(\.number))
    }

    /// Compares the date of the end with the clock.
    mutating func clock(_ playlist: MediaPlaylist, _ answer: WatchAnswer, _ breaches: inout [Breach]) {
        guard let clock, let end = state?.endDate, !playlist.hasEndList else { return }
        let behind = clock + answer.ended.seconds - end
        if !isIFrames { figures.latency = behind }
        var found: [Breach] = []
        if behind < -Self.ahead {
            found = [Breach(LiveRules.dateClock, "the end is \(words(-behind)) in the future")]
        } else if behind > Self.past {
            found = [Breach(LiveRules.dateClock, "the end is \(words(behind)) past")]
        }
        breaches += once("date-clock", found)
    }

    /// How wrong clocks may be, and how old what is called live, in seconds.
    static let ahead = 5.0
    static let past = 600.0

    /// Asks for parts where it is their time.
    mutating func partRequests(at now: Instant) -> [WatchRequest] {
        guard options.checksSegments, isBlocking, let state else { return [] }
        return parts.requests(state.playlist, state.base, at: now)
    }

    /// Takes what came of a look for a segment or a part.
    mutating func check(_ answer: WatchAnswer) -> WatchStep {
        if answer.method == .get { return WatchStep(findings: parts.take(answer).map { finding($0, answer.ended) }) }
        if answer.method == .firstByte, hints.awaits(answer.url) {
            hints.take(answer, in: state?.playlist)
            return WatchStep()
        }
        let outcome = checks.take(answer, in: state)
        var breaches = outcome.breaches
        if let number = outcome.usable { breaches += told(stalls.use(number, since: outcome.since ?? answer.ended)) }
        return WatchStep(requests: outcome.requests, findings: breaches.map { finding($0, answer.ended) })
    }

    /// What is left to say at the end.
    mutating func finish(at now: Instant) -> [LiveFinding] {
        guard let state, !state.playlist.hasEndList, let stall = stalls.open(at: now) else { return [] }
        return told([stall]).map { finding($0, now) }
    }
}
