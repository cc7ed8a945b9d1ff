internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Requests, and the routing of news to streams.
extension HLSStreaming {
    private var depth: BufferDepth { BufferDepth(source.settings, record.preferences) }

    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        var next: Instant?
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            next = next.map { min($0, instant) } ?? instant
        }
        consider(switching.nextChange)
        consider(streams.all.passage)
        consider(record.keyring.nextChange)
        consider(beginning.startsAt.flatMap { $0 > now ? $0 : nil })
        consider(beginning.probes.nextChange(at: now))
        let depth = depth
        for index in streams.all.indices {
            let isHeld = isHeld(index)
            consider(
                streams.all[index].nextChange(playhead: playhead, rate: rate, isHeld: isHeld, depth: depth, at: now)
            )
        }
        return next
    }

    mutating func update(playhead: Duration, rate: Double, _ context: inout StepContext) {
        pace = Pace(position: playhead, rate: rate, at: context.now)
        streams.all.followFaults(playhead: playhead, at: context.now)
        heedVideoWish(&context)
        switching.finishChange(at: playhead, in: &streams, &context)
        switching.choose(at: playhead, for: record, in: &streams, &context)
        if record.isVideoLoaded { streams.rejoin(at: playhead) }
        request(playhead: playhead, &context)
        if source.settings.buffering.counts == .blocks { streams.handOn() }
        beginning.follow(streams, source.settings, at: context.now)
        beginning.endOpening(&streams, at: playhead, &context)
    }

    var nextReload: Instant? { streams.all.indices.compactMap { streams.all[$0].nextReload }.min() }

    mutating func reload(_ context: inout StepContext) {
        let maker = maker
        for index in streams.all.indices { streams.all[index].reload(maker, &context) }
    }

    private mutating func request(playhead: Duration, _ context: inout StepContext) {
        let maker = maker
        let before = context.requestCount
        switching.load(throughput: streams.meter.bitsPerSecond, maker, &context)
        var loading = LoadConditions(
            playhead: playhead,
            isHeld: false,
            depth: depth,
            announced: switching.announced,
            maker: maker
        )
        beginning.load(loading, beside: streams, keyring: &record.keyring, &context)
        for index in streams.all.indices {
            loading.isHeld = isHeld(index)
            streams.load(index, under: loading, keyring: &record.keyring, &context)
        }
        beginning.setRead(&streams, at: pace.position, &context)
        record.keyring.load(&context) { maker.key($0, $1) }
        if context.requestCount > before { record.isStarved = false }
    }

    /// Returns whether a stream must not begin a request for media: until a variant change, or until other streams have
    /// caught up.
    private func isHeld(_ index: Int) -> Bool {
        guard !streams.all[index].isLoading else { return false }
        return beginning.holds(index, of: streams, at: pace.position, source.settings)
            || streams.all[index].role == .main && switching.holds || streams.waits(index, source.settings.buffering)
    }

    private var maker: RequestMaker {
        var maker = RequestMaker(
            source,
            RequestMaker.State(
                rate: pace.rate,
                isStartup: !isSpeedKnown,
                isStarved: record.isStarved,
                streamType: streams.isLive ? .live : .onDemand,
                topBitrate: switching.variants?.choice.ladder.topBitrate,
                bandwidth: switching.variants?.choice.bandwidth ?? 0,
                throughput: streams.meter.bitsPerSecond
            )
        )
        // With other variants, a segment that is too slow leads to a change, so its data matter as they arrive.
        maker.mayGatherMedia =
            (switching.variants?.hasOthers != true || !source.settings.adapting.rescuesLateSegments)
            && source.settings.buffering.counts == .segments && source.settings.failing.retryFrom == .start
            && source.settings.buffering.probes == .none && !source.settings.requesting.prefetch
        return maker
    }

    func owns(_ id: FetchID) -> Bool {
        streams.index(owning: id) != nil || beginning.probes.owns(id) || switching.owns(id) || record.keyring.owns(id)
    }

    mutating func handle(_ event: FetchEvent, _ context: inout StepContext) -> Bool {
        if receive(event, &context) { return true }
        // Part of a response may end a request that is too slow.
        return event.isOutcome || !owns(event.id)
    }

    /// Handles news, and returns whether part of a response needs action.
    private mutating func receive(_ event: FetchEvent, _ context: inout StepContext) -> Bool {
        if let index = streams.index(owning: event.id) {
            return receive(event, ofStream: index, &context)
        }
        if beginning.probes.owns(event.id) {
            beginning.probes.receive(event, announced: switching.announced, keyring: record.keyring, &context)
            return event.isOutcome || source.settings.buffering.counts != .segments
                || source.settings.requesting.prefetchHolds
        }
        if switching.owns(event.id) {
            let start = start ?? wantedStart
            return switching.receive(event, at: pace.position, startingAt: start, in: &streams, &context)
        }
        record.keyring.receive(event, &context)
        return false
    }

    private mutating func receive(_ event: FetchEvent, ofStream index: Int, _ context: inout StepContext) -> Bool {
        let id = event.id
        if streams.all[index].hints.part.transferID == id || streams.all[index].hints.map.transferID == id {
            streams.receiveHint(event, ofStream: index, &context)
            return event.isOutcome
        }
        if streams.all[index].prefetched.transferID == id {
            streams.all[index].prefetched.receive(event, &context)
            return event.isOutcome || source.settings.requesting.prefetchHolds
        }
        guard streams.all[index].request.transferID == id else {
            let variables = switching.variables
            streams.receivePlaylist(
                event,
                ofStream: index,
                importing: variables,
                at: pace.position,
                &context
            )
            return false
        }
        let isOver = streams.receiveMedia(
            event,
            ofStream: index,
            probesHead: source.settings.buffering.probes == .head && switching.audioURL != nil,
            announced: switching.announced,
            keyring: record.keyring,
            &context
        )
        if isOver { return true }
        guard case .data = event else { return false }
        return switching.abandonLate(at: pace, for: record, in: &streams, &context)
            || source.settings.buffering.counts != .segments
    }
}
