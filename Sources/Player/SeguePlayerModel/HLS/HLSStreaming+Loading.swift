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
        if let change = variants?.change, change.arrived == nil { consider(change.load.nextChange) }
        consider(audio.change?.nextChange)
        consider(subtitles?.nextChange)
        consider(record.keyring.nextChange)
        consider(variants?.nextSteering)
        consider(startsAt.flatMap { $0 > now ? $0 : nil })
        consider(probes.nextChange(at: now))
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
        heedVideoWish(&context)
        finishChange(&context)
        chooseVariant(playhead: playhead, &context)
        if record.isVideoLoaded { streams.rejoin(at: playhead) }
        request(playhead: playhead, &context)
        if source.settings.buffering.counts == .blocks { streams.handOn() }
        followStart(at: context.now)
        endOpening(at: playhead, &context)
    }

    var nextReload: Instant? { streams.all.indices.compactMap { streams.all[$0].nextReload }.min() }

    mutating func reload(_ context: inout StepContext) {
        let maker = maker
        for index in streams.all.indices { streams.all[index].reload(maker, &context) }
    }

    private mutating func request(playhead: Duration, _ context: inout StepContext) {
        let maker = maker
        let before = context.requestCount
        variants?.load(maker, &context)
        variants?.loadSteering(throughput: meter.bitsPerSecond, maker, &context)
        audio.change?.load(&context) { maker.playlist($0, $1) }
        subtitles?.load(&context) { maker.playlist($0, $1) }
        var loading = LoadConditions(
            playhead: playhead,
            isHeld: false,
            depth: depth,
            announced: announced,
            maker: maker
        )
        if isOpening { probes.load(loading, isAudioOpen: isAudioOpen, keyring: &record.keyring, &context) }
        for index in streams.all.indices {
            let wasLoading = streams.all[index].isLoading
            loading.isHeld = isHeld(index)
            streams.all[index].load(loading, keyring: &record.keyring, &context)
            if !wasLoading, streams.all[index].isLoading { meter.begin(at: context.now) }
        }
        setRead(&context)
        record.keyring.load(&context) { maker.key($0, $1) }
        if context.requestCount > before { record.isStarved = false }
    }

    /// Returns whether a stream must not begin a request for media: until a variant change, or until other streams have
    /// caught up.
    private func isHeld(_ index: Int) -> Bool {
        guard !streams.all[index].isLoading else { return false }
        if isOpening {
            // A stream with enough to start waits for the others.
            let isEnough = streams.all[index].has(source.settings.starting.keepUpEnough, from: pace.position)
            if isEnough || streams.all[index].role == .main && !(isAudioOpen && probes.areOpen) { return true }
        }
        return streams.all[index].role == .main && variants?.change?.holds == true
            || streams.waits(index, source.settings.buffering)
    }

    private var announced: AnnouncedCodecs { variants?.choice.announced ?? AnnouncedCodecs() }

    private var isAudioOpen: Bool { streams.all.allSatisfy { $0.role != .audio || $0.isOpen } }

    private var maker: RequestMaker {
        var maker = RequestMaker(
            source,
            RequestMaker.State(
                rate: pace.rate,
                isStartup: !isSpeedKnown,
                isStarved: record.isStarved,
                streamType: streams.isLive ? .live : .onDemand,
                topBitrate: variants?.choice.ladder.topBitrate,
                bandwidth: variants?.choice.bandwidth ?? 0,
                throughput: meter.bitsPerSecond
            )
        )
        // With other variants, a segment that is too slow leads to a change, so its data matter as they arrive.
        maker.mayGatherMedia =
            (variants?.hasOthers != true || !source.settings.adapting.rescuesLateSegments)
            && source.settings.buffering.counts == .segments && source.settings.failing.retryFrom == .start
            && source.settings.buffering.probes == .none && !source.settings.requesting.prefetch
        return maker
    }

    func owns(_ id: FetchID) -> Bool {
        streams.index(owning: id) != nil || probes.owns(id) || variants?.change?.load.owns(id) == true
            || audio.change?.owns(id) == true || subtitles?.owns(id) == true || record.keyring.owns(id)
            || variants?.ownsSteering(id) == true
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
        if probes.owns(event.id) {
            probes.receive(event, announced: announced, keyring: record.keyring, &context)
            return event.isOutcome || source.settings.buffering.counts != .segments
                || source.settings.requesting.prefetchHolds
        }
        let variables = variants?.choice.playlist.variables ?? [:]
        if variants?.change?.load.owns(event.id) == true {
            if let result = variants?.receive(event, &context) { changeCame(result, &context) }
        } else if audio.change?.owns(event.id) == true {
            let result = audio.change?.receive(event, importing: variables, &context)
            if let result { audioCame(result, &context) }
        } else if subtitles?.owns(event.id) == true {
            let result = subtitles?.receive(event, importing: variables, &context)
            if let result { subtitlesCame(result, &context) }
        } else if variants?.ownsSteering(event.id) == true {
            variants?.receiveSteering(event, &context)
            return event.isOutcome
        } else {
            record.keyring.receive(event, &context)
        }
        return false
    }

    private mutating func receive(_ event: FetchEvent, ofStream index: Int, _ context: inout StepContext) -> Bool {
        let isOfPart = streams.all[index].hints.part.transferID == event.id
        if isOfPart || streams.all[index].hints.map.transferID == event.id {
            return receiveHint(event, ofStream: index, isOfPart: isOfPart, &context)
        }
        if streams.all[index].prefetched.transferID == event.id {
            streams.all[index].prefetched.receive(event, &context)
            return event.isOutcome || source.settings.requesting.prefetchHolds
        }
        let isMedia = streams.all[index].request.transferID == event.id
        let begun = isMedia && event.isOutcome ? streams.all[index].request.segmentBegan : nil
        let arrivals = streams.all[index].arrivals
        if isMedia {
            // Parts are so short that latency would distort the measured rate.
            if case .response = event, streams.all[index].request.isOfPart { meter.answer(at: context.now) }
            if case .data(_, let bytes) = event { meter.receive(bytes.count) }
            if case .finished = event, source.settings.buffering.probes == .head, audio.url != nil,
                streams.all[index].dropProbe()
            {
                meter.giveUp()
                return true
            }
            streams.all[index].receive(event, announced: announced, keyring: record.keyring, &context)
            let buffering = source.settings.buffering
            if buffering.probes == .head, audio.url != nil, case .data = event {
                streams.all[index].breakOffProbe(&context)
            }
        } else {
            let isAdrift = streams.all[index].progress.playlist.isAdrift
            let place = isAdrift ? streams.timeline.map { ($0, pace.position) } : nil
            streams.all[index].receivePlaylist(
                event,
                importing: variants?.choice.playlist.variables ?? [:],
                laidAnew: place.map(StreamPlaylist.Place.init),
                &context
            )
        }
        let isOver = isMedia && !streams.all[index].isLoading
        if isOver { meter.end(at: context.now) }
        let counts = source.settings.adapting.estimate != .lastAndMeanOfThree || streams.all[index].role == .main
        if let begun, counts, streams.all[index].arrivals > arrivals {
            meter.finish(segmentOf: begun.bytes, took: context.now - begun.at)
        }
        if streams.all[index].role == .subtitles, streams.all[index].failure != nil {
            streams.all[index].stop(&context)
            streams.all.remove(at: index)
        }
        if isOver { return true }
        if isMedia, case .data = event {
            return abandonLate(&context) || source.settings.buffering.counts != .segments
        }
        return false
    }

    /// Handles news of a stream's hinted request.
    ///
    /// The measurement starts at the response, because the part did not exist before.
    private mutating func receiveHint(
        _ event: FetchEvent,
        ofStream index: Int,
        isOfPart: Bool,
        _ context: inout StepContext
    ) -> Bool {
        let url = streams.all[index].progress.playlist.url
        streams.all[index].hints.receive(event, of: url, &context)
        if case .finished = event, isOfPart, let came = streams.all[index].hints.part.arrival {
            meter.add(came.bytes.count, took: came.took)
        }
        return event.isOutcome
    }

    // MARK: Playlists during playback

    /// Handles the result of loading the playlist of a variant to change to.
    private mutating func changeCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ context: inout StepContext
    ) {
        guard let address = variants?.change?.load.url else { return }
        do throws(PlaybackError) {
            let complaint = "a variant is a multivariant playlist"
            let (arrival, timeline) = try accept(result, of: .main, from: address, or: complaint, &context)
            variants?.arrived(timeline, arrival)
        } catch {
            if case .success = result { context.record(error, uri: address) }
            variants?.failed(error, at: context.now)
        }
    }

    /// Handles the result of loading the playlist of another audio rendition.
    private mutating func audioCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ context: inout StepContext
    ) {
        let address = audio.change?.url ?? ""
        audio.change = nil
        guard let index = streams.all.firstIndex(where: { $0.role == .audio }) else { return }
        do throws(PlaybackError) {
            let complaint = "an audio rendition is a multivariant playlist"
            let (arrival, timeline) = try accept(result, of: .audio, from: address, or: complaint, &context)
            if streams.all[index].isLoading { meter.end(at: context.now) }
            streams.all[index].change(to: timeline, from: arrival.url, at: pace.position, &context)
            streams.all[index].progress.playlist.came(began: arrival.began)
        } catch {
            if case .success = result { context.record(error, uri: address) }
            streams.all[index].failure = error
        }
    }

    /// Handles the result of loading the subtitle playlist, which is optional.
    private mutating func subtitlesCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ context: inout StepContext
    ) {
        let address = subtitles?.url
        subtitles = nil
        guard case .success(let arrival) = result, case .media(let media) = arrival.playlist else { return }
        context.deliver(arrival, of: .subtitles, from: address ?? arrival.url)
        do throws(PlaybackError) {
            let timeline = try timeline(of: media, arrival)
            context.log(timeline, from: arrival.url)
            let position = start ?? wantedStart ?? timeline.joinPosition
            var stream = StreamLoader(role: .subtitles, arrival, timeline, position: position)
            stream.resume(at: pace.position, &context)
            streams.all.append(stream)
        } catch {
            context.record(error, uri: arrival.url)
        }
    }

    /// Delivers a playlist that has arrived, and returns its timeline, aligned with the existing ones.
    private func accept(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        of role: StreamRole,
        from address: String,
        or complaint: String,
        _ context: inout StepContext
    ) throws(PlaybackError) -> (arrival: PlaylistLoad.Arrival, timeline: SegmentTimeline) {
        let arrival = try result.get()
        let media = try arrival.media(complaint)
        context.deliver(arrival, of: role, from: address)
        let timeline = try timeline(of: media, arrival)
        context.log(timeline, from: arrival.url)
        return (arrival, timeline)
    }

    /// Returns a playlist's timeline, aligned with the existing ones.
    private func timeline(
        of media: MediaPlaylist,
        _ arrival: PlaylistLoad.Arrival
    ) throws(PlaybackError) -> SegmentTimeline {
        try SegmentTimeline(media, from: arrival, of: variants?.choice, source.settings, beside: streams.timeline)
    }
}
