internal import SegueBase
internal import SeguePlaylists

/// Where playing begins only when the requests are over that are made once there is enough to begin.
extension HLSStreaming {
    /// Whether playing may begin: what the platform wants to be over before is, or it wants nothing.
    func mayStart(at now: Instant) -> Bool {
        if let startsAt { return startsAt <= now }
        return !source.settings.starting.startWaitsForRequest && !isOpening
    }

    /// Whether all is still being looked into, one after the other.
    var isOpening: Bool { source.settings.buffering.probes == .variants && startsAt == nil }

    /// Lets go of what was looked into of other variants, once enough of all has come.
    mutating func endOpening(at position: Duration, _ turn: inout Turn) {
        guard isOpening else { return }
        let enough = source.settings.starting.keepUpEnough
        let haveStreams = streams.all.indices.allSatisfy { streams.all[$0].has(enough, from: position) }
        guard haveStreams, probes.have(enough, from: position) else { return }
        startsAt = turn.now
        if source.settings.buffering.renditions != .inStep { probes.stop(&turn) }
        setRead(&turn)
    }

    /// Has the answers read that are to be.
    ///
    /// What has enough to begin is not until all have; nothing is while a segment is opened that comes before its turn, where
    /// the platform waits for that; and what is ahead is not where all are read in step.
    mutating func setRead(_ turn: inout Turn) {
        let settings = source.settings
        let isInStep = settings.buffering.renditions == .inStep
        let holds = settings.requesting.prefetchHolds
        guard settings.buffering.probes == .variants || holds || isInStep else { return }
        let isHeld = holds && (streams.all.contains(where: \.awaitsPrefetched) || probes.awaitPrefetched)
        let enough = isOpening ? settings.starting.keepUpEnough : nil
        let furthest = isInStep ? lowestEnd : nil
        for index in streams.all.indices {
            streams.all[index].setRead(!isHeld, enough: enough, notBeyond: furthest, from: pace.position, &turn)
        }
        probes.setRead(!isHeld, enough: enough, notBeyond: furthest, from: pace.position, &turn)
    }

    /// As far as whatever is behind has come; nil where nothing is being loaded.
    ///
    /// While all is being opened, one after the other, those count that have been.
    private var lowestEnd: Duration? {
        let read = streams.all.filter {
            $0.standing == .needed && $0.role != .subtitles && $0.failure == nil && !$0.isResting
                && ($0.isLoading || !isOpening)
        }
        return (read.map { $0.bufferedEnd(from: pace.position) } + probes.ends(from: pace.position)).min()
    }

    /// Looks whether each rendition has loaded a second segment, or rests with less.
    mutating func followStart(at now: Instant) {
        guard startsAt == nil, source.settings.starting.startWaitsForRequest else { return }
        let isOver = streams.all.indices.allSatisfy { index in
            guard streams.isNeeded(index) else { return true }
            return streams.all[index].arrivals > 1 || streams.all[index].isResting || streams.all[index].isLoadedToEnd
        }
        if isOver { startsAt = now + source.settings.starting.startLatency }
    }
}
