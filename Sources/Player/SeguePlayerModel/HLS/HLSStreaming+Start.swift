internal import SegueBase
internal import SeguePlaylists

/// Start of playback on platforms that wait for the requests after the first segments.
extension HLSStreaming {
    /// Returns whether playback may begin, as far as the platform waits for something.
    func mayStart(at now: Instant) -> Bool {
        if let startsAt { return startsAt <= now }
        return !source.settings.starting.startWaitsForRequest && !isOpening
    }

    /// True if variants are still being probed, one after the other.
    var isOpening: Bool { source.settings.buffering.probes == .variants && startsAt == nil }

    /// Releases the probes of other variants when all have enough.
    mutating func endOpening(at position: Duration, _ context: inout StepContext) {
        guard isOpening else { return }
        let enough = source.settings.starting.keepUpEnough
        let haveStreams = streams.all.indices.allSatisfy { streams.all[$0].has(enough, from: position) }
        guard haveStreams, probes.have(enough, from: position) else { return }
        startsAt = context.now
        if source.settings.buffering.renditions != .inStep { probes.stop(&context) }
        setRead(&context)
    }

    /// Selects the responses to read.
    ///
    /// A stream with enough to start is not read until all have enough. Nothing is read while a prefetch opens, on
    /// platforms that wait for that. A stream that is ahead is not read where all are read in step.
    mutating func setRead(_ context: inout StepContext) {
        let settings = source.settings
        let isInStep = settings.buffering.renditions == .inStep
        let holds = settings.requesting.prefetchHolds
        guard settings.buffering.probes == .variants || holds || isInStep else { return }
        let isHeld = holds && (streams.all.contains { $0.prefetched.awaitsResponse } || probes.awaitPrefetched)
        let enough = isOpening ? settings.starting.keepUpEnough : nil
        let furthest = isInStep ? lowestEnd : nil
        for index in streams.all.indices {
            streams.all[index].setRead(!isHeld, enough: enough, notBeyond: furthest, from: pace.position, &context)
        }
        probes.setRead(!isHeld, enough: enough, notBeyond: furthest, from: pace.position, &context)
    }

    /// The end of the least loaded stream; nil if nothing is loading.
    ///
    /// While streams open one after the other, only those that are open count.
    private var lowestEnd: Duration? {
        let read = streams.all.filter {
            $0.progress.standing == .needed && $0.role != .subtitles && $0.failure == nil && !$0.isResting
                && ($0.isLoading || !isOpening)
        }
        return (read.map { $0.bufferedEnd(from: pace.position) } + probes.ends(from: pace.position)).min()
    }

    /// Checks whether each rendition has loaded a second segment, or is resting with less.
    mutating func followStart(at now: Instant) {
        guard startsAt == nil, source.settings.starting.startWaitsForRequest else { return }
        let isOver = streams.all.indices.allSatisfy { index in
            guard streams.isNeeded(index) else { return true }
            return streams.all[index].arrivals > 1 || streams.all[index].isResting || streams.all[index].isLoadedToEnd
        }
        if isOver { startsAt = now + source.settings.starting.startLatency }
    }
}
