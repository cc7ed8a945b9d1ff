internal import SegueBase
internal import SeguePlaylists

/// What one version of the playlist says after the other.
extension PlaylistWatch {
    /// Takes a version; whether it has something new.
    mutating func accept(
        _ playlist: MediaPlaylist,
        _ answer: WatchAnswer,
        _ asked: Directives,
        isDelta: Bool,
        _ breaches: inout [Breach],
        _ step: inout WatchStep
    ) -> Bool {
        guard let former = state else {
            start(playlist, answer, &breaches, &step)
            return true
        }
        if former.playlist == playlist {
            if !isDelta { breaches += settled(by: []) }
            unchanged(former, answer, &breaches)
            return false
        }
        let changes = ListChanges(from: former, to: playlist)
        if isDelta, !changes.breaches.isEmpty {
            // Whether it is the update or the playlist, the whole tells, which is loaded next.
            doubts = changes.breaches
            return false
        }
        if !isDelta { breaches += settled(by: changes.breaches) }
        breaches += changes.breaches
        switch changes.verdict {
        case .isOlder where setbacks < 2:
            // A cache that is behind; what was had is not forgotten for it.
            setbacks += 1
            mark = nil
            unchanged(former, answer, &breaches)
            return false
        case .isOlder, .isOther:
            start(playlist, answer, &breaches, &step)
            return true
        case .follows: setbacks = 0
        }
        follow(former, playlist, answer, asked, isOfDelta: isDelta, &breaches, &step)
        return true
    }

    /// Begins with a version, as if nothing had been before.
    mutating func start(
        _ playlist: MediaPlaylist,
        _ answer: WatchAnswer,
        _ breaches: inout [Breach],
        _ step: inout WatchStep
    ) {
        trail.forget()
        checks.forget()
        hints.forget()
        parts.forget()
        (setbacks, doubts) = (0, [])
        (newsAt, toldAge, partsAt) = (answer.ended, nil, nil)
        let numbers = PlaylistState.discontinuities(playlist)
        var facts: [SegmentFact] = []
        for (index, segment) in playlist.segments.enumerated() {
            let (date, broken) = trail.add(segment, playlist.mediaSequence + index)
            breaches += broken
            facts.append(SegmentFact(discontinuity: numbers[index], date: date, missing: nil))
        }
        keep(playlist, facts, answer, isOfDelta: false)
        if !isIFrames { figures.segments += playlist.segments.count }
        guard !playlist.hasEndList else { return }
        if !playlist.segments.isEmpty, !playlist.segments.contains(where: { $0.programDateTime != nil }) {
            breaches += once("date-given", [Breach(LiveRules.dateGiven, "no segment has one")])
        }
        breaches += PartChanges.breaches(of: playlist, from: playlist.mediaSequence)
        breaches += once("parts-old", PartChanges.old(playlist))
        let listed = playlist.duration.seconds + playlist.openParts.reduce(0) { $0 + $1.duration.seconds }
        let back =
            (playlist.partTarget == nil ? nil : playlist.serverControl?.partHoldBack?.seconds)
            ?? playlist.serverControl?.holdBack?.seconds ?? 3 * playlist.target
        if !isIFrames { stalls.join(at: answer.ended, ahead: min(back, listed)) }
        clock(playlist, answer, &breaches)
        let ends = Set([playlist.segments.indices.first, playlist.segments.indices.last].compactMap(\.self)).sorted()
        _ = look(for: ends.map { playlist.mediaSequence + $0 }, of: playlist, answer, &step)
    }

    /// Goes on with a version that follows the one before.
    mutating func follow(
        _ former: PlaylistState,
        _ playlist: MediaPlaylist,
        _ answer: WatchAnswer,
        _ asked: Directives,
        isOfDelta: Bool,
        _ breaches: inout [Breach],
        _ step: inout WatchStep
    ) {
        let numbers = PlaylistState.discontinuities(playlist)
        let kept = former.playlist.sequences.clamped(to: playlist.sequences)
        var facts: [SegmentFact] = []
        facts.reserveCapacity(playlist.segments.count)
        let added =
            max(
                former.playlist.nextSequence,
                playlist.mediaSequence
            )..<max(
                former.playlist.nextSequence,
                playlist.nextSequence
            )
        if playlist.mediaSequence > former.playlist.nextSequence { trail.forget() }
        for (index, segment) in playlist.segments.enumerated() {
            let number = playlist.mediaSequence + index
            if kept.contains(number) {
                var fact = former.segments[number - former.playlist.mediaSequence]
                fact.discontinuity = numbers[index]
                facts.append(fact)
            } else {
                let (date, broken) = trail.add(segment, number)
                breaches += broken
                if segment.isGap { breaches.append(Breach(LiveRules.gap, "it is missing", segment: number)) }
                facts.append(SegmentFact(discontinuity: numbers[index], date: date, missing: former.began))
            }
        }
        breaches += PartChanges.breaches(of: playlist, from: added.lowerBound)
        breaches += PartChanges.breaches(from: former.playlist, to: playlist)
        breaches += hints.judge(playlist)
        breaches += once("parts-old", PartChanges.old(playlist))
        news(former, playlist, added.count, answer, asked, &breaches)
        let removed = former.playlist.sequences.prefix { $0 < playlist.mediaSequence }
        step.requests += checks.removed(removed, former, at: answer.ended)
        play(former, playlist, added, answer, &breaches, &step)
        keep(playlist, facts, answer, isOfDelta: isOfDelta)
        step.requests += partRequests(at: answer.ended)
        let end = state?.endDate
        let listed = facts.first?.date.flatMap { first in end.flatMap { first < $0 ? first..<$0 : nil } }
        breaches += RangeChanges.breaches(from: former.playlist.dateRanges, to: playlist.dateRanges, listed: listed)
        guard !added.isEmpty else { return }
        if !isIFrames { figures.segments += added.count }
        clock(playlist, answer, &breaches)
    }

    mutating func keep(
        _ playlist: MediaPlaylist,
        _ facts: [SegmentFact],
        _ answer: WatchAnswer,
        isOfDelta: Bool
    ) {
        state = PlaylistState(
            playlist: playlist,
            segments: facts,
            base: URIReference.Base(answer.finalURL),
            began: answer.began,
            ended: answer.ended,
            isOfDelta: isOfDelta
        )
        checks.longest = max(checks.longest, playlist.duration.seconds)
    }
}
