internal import SegueBase
internal import SeguePlaylists

/// The start of playback, on platforms that wait for the requests after the first segments, or that probe all variants.
struct StreamStart: Sendable {
    /// The probes of the other variants before playback.
    var probes = VariantProbes()

    /// The instant at which playback may begin; nil until it is known.
    private(set) var startsAt: Instant?

    /// Returns whether playback may begin, as far as the platform waits for something.
    func isAllowed(at now: Instant, _ settings: PlatformProfile.Loading) -> Bool {
        if let startsAt { return startsAt <= now }
        return !settings.starting.startWaitsForRequest && !isOpening(settings)
    }

    /// Returns whether variants are still being probed, one after the other.
    func isOpening(_ settings: PlatformProfile.Loading) -> Bool {
        settings.buffering.probes == .variants && startsAt == nil
    }

    /// Returns whether a stream must wait for others to open.
    ///
    /// A stream with enough to start waits for the others.
    func holds(_ index: Int, of streams: StreamSet, at position: Duration, _ settings: PlatformProfile.Loading) -> Bool
    {
        guard isOpening(settings) else { return false }
        let isEnough = streams.all[index].has(settings.starting.keepUpEnough, from: position)
        return isEnough || streams.all[index].role == .main && !(isAudioOpen(streams) && probes.areOpen)
    }

    /// Begins the requests of probes that are due.
    mutating func load(
        _ loading: LoadConditions,
        beside streams: StreamSet,
        keyring: inout Keyring,
        _ context: inout StepContext
    ) {
        guard isOpening(context.settings) else { return }
        probes.load(loading, isAudioOpen: isAudioOpen(streams), keyring: &keyring, &context)
    }

    /// Releases the probes of other variants when all have enough.
    mutating func endOpening(_ streams: inout StreamSet, at position: Duration, _ context: inout StepContext) {
        guard isOpening(context.settings) else { return }
        let enough = context.settings.starting.keepUpEnough
        let haveStreams = streams.all.indices.allSatisfy { streams.all[$0].has(enough, from: position) }
        guard haveStreams, probes.have(enough, from: position) else { return }
        startsAt = context.now
        if context.settings.buffering.renditions != .inStep { probes.stop(&context) }
        setRead(&streams, at: position, &context)
    }

    /// Selects the responses to read.
    ///
    /// A stream with enough to start is not read until all have enough. Nothing is read while a prefetch opens, on
    /// platforms that wait for that. A stream that is ahead is not read where all are read in step.
    mutating func setRead(_ streams: inout StreamSet, at position: Duration, _ context: inout StepContext) {
        let settings = context.settings
        let isInStep = settings.buffering.renditions == .inStep
        let holds = settings.requesting.prefetchHolds
        guard settings.buffering.probes == .variants || holds || isInStep else { return }
        let isHeld = holds && (streams.all.contains { $0.prefetched.awaitsResponse } || probes.awaitPrefetched)
        let isOpening = isOpening(settings)
        let enough = isOpening ? settings.starting.keepUpEnough : nil
        let furthest = isInStep ? lowestEnd(of: streams, from: position, isOpening: isOpening) : nil
        for index in streams.all.indices {
            streams.all[index].setRead(!isHeld, enough: enough, notBeyond: furthest, from: position, &context)
        }
        probes.setRead(!isHeld, enough: enough, notBeyond: furthest, from: position, &context)
    }

    /// Checks whether each rendition has loaded a second segment, or is resting with less.
    mutating func follow(_ streams: StreamSet, _ settings: PlatformProfile.Loading, at now: Instant) {
        guard startsAt == nil, settings.starting.startWaitsForRequest else { return }
        let isOver = streams.all.indices.allSatisfy { index in
            guard streams.isNeeded(index) else { return true }
            return streams.all[index].intake.arrivals > 1 || streams.all[index].isResting
                || streams.all[index].isLoadedToEnd
        }
        if isOver { startsAt = now + settings.starting.startLatency }
    }

    private func isAudioOpen(_ streams: StreamSet) -> Bool {
        streams.all.allSatisfy { $0.role != .audio || $0.isOpen }
    }

    /// The end of the least loaded stream; nil if nothing is loading.
    ///
    /// While streams open one after the other, only those that are open count.
    private func lowestEnd(of streams: StreamSet, from position: Duration, isOpening: Bool) -> Duration? {
        let read = streams.all.filter {
            $0.progress.standing == .needed && $0.role != .subtitles && $0.failure == nil && !$0.isResting
                && ($0.isLoading || !isOpening)
        }
        return (read.map { $0.bufferedEnd(from: position) } + probes.ends(from: position)).min()
    }
}
