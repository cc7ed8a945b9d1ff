internal import SegueBase
internal import SeguePlaylists

/// The comparison of a version with the previous one.
extension PlaylistWatch {
    /// Accepts a version; returns true if it differs from the previous one.
    mutating func accept(_ update: inout PlaylistUpdate) -> Bool {
        guard let former = state else {
            start(&update)
            return true
        }
        if former.playlist == update.playlist {
            if !update.isDelta { update.breaches += deltas.confirmed(by: []) }
            unchanged(former, &update)
            return false
        }
        let changes = ListChanges(from: former, to: update.playlist)
        if update.isDelta, !changes.breaches.isEmpty {
            deltas.doubt(changes.breaches)
            return false
        }
        if !update.isDelta { update.breaches += deltas.confirmed(by: changes.breaches) }
        update.breaches += changes.breaches
        switch changes.verdict {
        case .isOlder where setbacks < 2:
            // A cache may lag behind; the watch keeps the newer version.
            setbacks += 1
            forgetResponse()
            unchanged(former, &update)
            return false
        case .isOlder, .isOther:
            start(&update)
            return true
        case .follows: setbacks = 0
        }
        follow(former, &update)
        return true
    }

    private mutating func unchanged(_ former: PlaylistState, _ update: inout PlaylistUpdate) {
        state?.began = update.response.began
        state?.ended = update.response.ended
        if hasWholeResponse { state?.isOfDelta = false }
        guard !former.playlist.hasEndList else { return }
        update.breaches += news.unchanged(update.response, target: former.playlist.target, &figures)
    }

    /// Starts with a version as the first one.
    private mutating func start(_ update: inout PlaylistUpdate) {
        let (playlist, response) = (update.playlist, update.response)
        trail.forget()
        supply.probes.forget()
        deltas.forget()
        setbacks = 0
        news.start(at: response.ended)
        let numbers = PlaylistState.discontinuities(playlist)
        var facts: [SegmentFact] = []
        for (index, segment) in playlist.segments.enumerated() {
            let (date, breaches) = trail.add(segment, playlist.mediaSequence + index)
            update.breaches += breaches
            facts.append(SegmentFact(discontinuity: numbers[index], date: date, missing: nil))
        }
        keep(update, facts, isOfDelta: false)
        if !source.isIFrames { figures.segments += playlist.segments.count }
        guard !playlist.hasEndList else { return }
        if !playlist.segments.isEmpty, !playlist.segments.contains(where: { $0.programDateTime != nil }) {
            let breach = Breach(LiveRules.dateGiven, "#EXT-X-PROGRAM-DATE-TIME is missing")
            update.breaches += reported.once("date-given", [breach])
        }
        update.breaches += PartChanges.breaches(of: playlist, from: playlist.mediaSequence)
        update.breaches += reported.once("parts-old", PartChanges.old(playlist))
        compareWithClock(&update)
        supply.start(&update)
    }

    /// Continues with a version that follows the previous one.
    private mutating func follow(_ former: PlaylistState, _ update: inout PlaylistUpdate) {
        let (playlist, response) = (update.playlist, update.response)
        let numbers = PlaylistState.discontinuities(playlist)
        let kept = former.playlist.sequences.clamped(to: playlist.sequences)
        let end = former.playlist.nextSequence
        let added = max(end, playlist.mediaSequence)..<max(end, playlist.nextSequence)
        var facts: [SegmentFact] = []
        facts.reserveCapacity(playlist.segments.count)
        if playlist.mediaSequence > end { trail.forget() }
        for (index, segment) in playlist.segments.enumerated() {
            let number = playlist.mediaSequence + index
            if kept.contains(number) {
                var fact = former.segments[number - former.playlist.mediaSequence]
                fact.discontinuity = numbers[index]
                facts.append(fact)
            } else {
                let (date, breaches) = trail.add(segment, number)
                update.breaches += breaches
                if segment.isGap {
                    update.breaches.append(Breach(LiveRules.gap, "the segment has #EXT-X-GAP", segment: number))
                }
                facts.append(SegmentFact(discontinuity: numbers[index], date: date, missing: former.began))
            }
        }
        update.breaches += PartChanges.breaches(of: playlist, from: added.lowerBound)
        update.breaches += PartChanges.breaches(from: former.playlist, to: playlist)
        update.breaches += supply.probes.hints.judge(playlist)
        update.breaches += reported.once("parts-old", PartChanges.old(playlist))
        update.breaches += news.changed(update, from: former, addedSegments: added.count, &figures)
        let removed = former.playlist.sequences.prefix { $0 < playlist.mediaSequence }
        update.requests += supply.probes.segments.removed(removed, former, at: response.ended)
        supply.add(added, after: former.playlist, to: &update, counting: &figures)
        keep(update, facts, isOfDelta: update.isDelta)
        if let state { update.requests += supply.partRequests(state, at: response.ended) }
        let endDate = state?.endDate
        let listed = facts.first?.date.flatMap { first in endDate.flatMap { first < $0 ? first..<$0 : nil } }
        update.breaches += RangeChanges.breaches(
            from: former.playlist.dateRanges,
            to: playlist.dateRanges,
            listed: listed
        )
        guard !added.isEmpty else { return }
        if !source.isIFrames { figures.segments += added.count }
        if let state, !source.isIFrames {
            update.breaches += ads.take(added, in: playlist, starts: AdBreakTrail.starts(in: response.bytes, state))
        }
        compareWithClock(&update)
    }

    private mutating func keep(_ update: PlaylistUpdate, _ facts: [SegmentFact], isOfDelta: Bool) {
        state = PlaylistState(
            playlist: update.playlist,
            segments: facts,
            base: URIReference.Base(update.response.finalURL),
            began: update.response.began,
            ended: update.response.ended,
            isOfDelta: isOfDelta
        )
        let longest = supply.probes.segments.longest
        supply.probes.segments.longest = max(longest, update.playlist.duration.seconds)
    }

    /// Compares the date of the end with the clock.
    private mutating func compareWithClock(_ update: inout PlaylistUpdate) {
        guard let clock = source.clock, let end = state?.endDate, !update.playlist.hasEndList else { return }
        let behind = clock + update.response.ended.seconds - end
        if !source.isIFrames { figures.latency = behind }
        let breach = ClockComparison.breach(behind: behind)
        update.breaches += reported.once("date-clock", breach.map { [$0] } ?? [])
    }
}
