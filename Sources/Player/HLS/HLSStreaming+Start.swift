internal import HLS
internal import Timeline

/// Where playing begins only when the requests are over that are made once there is enough to begin.
extension HLSStreaming {
    /// Whether playing may begin: what the platform wants to be over before is, or it wants nothing.
    func mayStart(at now: Instant) -> Bool {
        if let startsAt { return startsAt <= now }
        return !source.settings.buffering.startWaitsForRequest && !isOpening
    }

    /// Whether all is still being looked into, one after the other.
    var isOpening: Bool { source.settings.buffering.probes == .variants && startsAt == nil }

    /// Lets go of what was looked into of other variants, once enough of all has come; of what has enough before, nothing
    /// more is read until then.
    mutating func endOpening(at position: Duration, _ turn: inout Turn) {
        guard isOpening else { return }
        let enough = source.settings.keepUpEnough
        for index in streams.all.indices {
            streams.all[index].request.setRead(!streams.all[index].has(enough, from: position), &turn)
        }
        let haveStreams = streams.all.indices.allSatisfy { streams.all[$0].has(enough, from: position) }
        guard haveStreams, probes.have(enough, from: position) else { return }
        startsAt = turn.now
        probes.stop(&turn)
        for index in streams.all.indices { streams.all[index].request.setRead(true, &turn) }
    }

    /// Looks whether each rendition has loaded a second segment, or rests with less.
    mutating func followStart(at now: Instant) {
        guard startsAt == nil, source.settings.buffering.startWaitsForRequest else { return }
        let isOver = streams.all.indices.allSatisfy { index in
            guard streams.isNeeded(index) else { return true }
            return streams.all[index].arrivals > 1 || streams.all[index].isResting || streams.all[index].isLoadedToEnd
        }
        if isOver { startsAt = now + source.settings.buffering.startLatency }
    }
}
