internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Requests, and the routing of news to streams.
extension HLSStreaming {
    private var depth: StreamLoader.Depth { StreamLoader.Depth(source.settings, record.wishes) }

    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        var next: Instant?
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            next = next.map { min($0, instant) } ?? instant
        }
        if let change = variants?.change, change.arrived == nil { consider(change.load.nextChange) }
        consider(sound.change?.nextChange)
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

    mutating func update(playhead: Duration, rate: Double, _ turn: inout Turn) {
        pace = Pace(position: playhead, rate: rate, at: turn.now)
        heedVideoWish(&turn)
        finishChange(&turn)
        chooseVariant(playhead: playhead, &turn)
        if record.isVideoLoaded { streams.rejoin(at: playhead) }
        request(playhead: playhead, &turn)
        if source.settings.buffering.counts == .blocks { streams.handOn() }
        followStart(at: turn.now)
        endOpening(at: playhead, &turn)
    }

    var nextReload: Instant? { streams.all.indices.compactMap { streams.all[$0].nextReload }.min() }

    mutating func reload(_ turn: inout Turn) {
        let maker = maker
        for index in streams.all.indices { streams.all[index].reload(maker, &turn) }
    }

    private mutating func request(playhead: Duration, _ turn: inout Turn) {
        let maker = maker
        let before = turn.requestCount
        variants?.load(maker, &turn)
        variants?.loadSteering(throughput: meter.bitsPerSecond, maker, &turn)
        sound.change?.load(&turn) { maker.playlist($0, $1) }
        subtitles?.load(&turn) { maker.playlist($0, $1) }
        let depth = depth
        let announced = variants?.choice.announced ?? AnnouncedCodecs()
        if isOpening {
            probes.load(
                isSoundOpen: isSoundOpen,
                playhead: playhead,
                depth: depth,
                announced: announced,
                keyring: &record.keyring,
                maker: maker,
                &turn
            )
        }
        for index in streams.all.indices {
            let wasLoading = streams.all[index].isLoading
            let isHeld = isHeld(index)
            streams.all[index].load(
                playhead: playhead,
                isHeld: isHeld,
                depth: depth,
                announced: announced,
                keyring: &record.keyring,
                maker: maker,
                &turn
            )
            if !wasLoading, streams.all[index].isLoading { meter.begin(at: turn.now) }
        }
        setRead(&turn)
        record.keyring.load(&turn) { maker.key($0, $1) }
        if turn.requestCount > before { record.isStarved = false }
    }

    /// Whether a stream must not begin a request for media: until a variant change, or until other streams have caught
    /// up.
    private func isHeld(_ index: Int) -> Bool {
        guard !streams.all[index].isLoading else { return false }
        if isOpening {
            // A stream with enough to start waits for the others.
            let isEnough = streams.all[index].has(source.settings.starting.keepUpEnough, from: pace.position)
            if isEnough || streams.all[index].role == .main && !(isSoundOpen && probes.areOpen) { return true }
        }
        return streams.all[index].role == .main && variants?.change?.holds == true
            || streams.waits(index, source.settings.buffering)
    }

    private var isSoundOpen: Bool { streams.all.allSatisfy { $0.role != .audio || $0.isOpen } }

    private var maker: RequestMaker {
        var maker = RequestMaker(
            source,
            rate: pace.rate,
            isStartup: !isSpeedKnown,
            isStarved: record.isStarved,
            streamType: streams.isLive ? .live : .onDemand,
            topBitrate: variants?.choice.ladder.topBitrate,
            bandwidth: variants?.choice.bandwidth ?? 0,
            throughput: meter.bitsPerSecond
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
            || sound.change?.owns(id) == true || subtitles?.owns(id) == true || record.keyring.owns(id)
            || variants?.ownsSteering(id) == true
    }

    mutating func handle(_ event: FetchEvent, _ turn: inout Turn) -> Bool {
        if take(event, &turn) { return true }
        // Part of a response may end a request that is too slow.
        return event.isOutcome || !owns(event.id)
    }

    /// Handles news, and returns whether part of a response needs action.
    private mutating func take(_ event: FetchEvent, _ turn: inout Turn) -> Bool {
        if let index = streams.index(owning: event.id) {
            return take(event, ofStream: index, &turn)
        }
        if probes.owns(event.id) {
            probes.receive(event, variants?.choice.announced ?? AnnouncedCodecs(), record.keyring, &turn)
            return event.isOutcome || source.settings.buffering.counts != .segments
                || source.settings.requesting.prefetchHolds
        }
        let variables = variants?.choice.playlist.variables ?? [:]
        if variants?.change?.load.owns(event.id) == true {
            if let result = variants?.receive(event, &turn) { changeCame(result, &turn) }
        } else if sound.change?.owns(event.id) == true {
            let result = sound.change?.receive(event, importing: variables, &turn)
            if let result { soundCame(result, &turn) }
        } else if subtitles?.owns(event.id) == true {
            let result = subtitles?.receive(event, importing: variables, &turn)
            if let result { subtitlesCame(result, &turn) }
        } else if variants?.ownsSteering(event.id) == true {
            variants?.receiveSteering(event, &turn)
            return event.isOutcome
        } else {
            record.keyring.receive(event, &turn)
        }
        return false
    }

    private mutating func take(_ event: FetchEvent, ofStream index: Int, _ turn: inout Turn) -> Bool {
        if streams.all[index].hint.transferID == event.id { return takeHint(event, ofStream: index, &turn) }
        if streams.all[index].mapHint.transferID == event.id {
            streams.all[index].receiveMapHint(event, &turn)
            return event.isOutcome
        }
        if streams.all[index].prefetched.transferID == event.id {
            streams.all[index].receivePrefetched(event, &turn)
            return event.isOutcome || source.settings.requesting.prefetchHolds
        }
        let isMedia = streams.all[index].request.transferID == event.id
        let begun = isMedia && event.isOutcome ? streams.all[index].request.segmentBegan : nil
        let arrivals = streams.all[index].arrivals
        if isMedia {
            // Parts are so short that latency would distort the measured rate.
            if case .response = event, streams.all[index].request.isOfPart { meter.answer(at: turn.now) }
            if case .data(_, let bytes) = event { meter.receive(bytes.count) }
            if case .finished = event, source.settings.buffering.probes == .head, sound.url != nil,
                streams.all[index].dropProbe()
            {
                meter.giveUp()
                return true
            }
            let announced = variants?.choice.announced ?? AnnouncedCodecs()
            streams.all[index].receive(event, announced, record.keyring, &turn)
            let buffering = source.settings.buffering
            if buffering.probes == .head, sound.url != nil, case .data = event {
                streams.all[index].breakOffProbe(&turn)
            }
        } else {
            let isAdrift = streams.all[index].playlist.isAdrift
            let place = isAdrift ? streams.timeline.map { ($0, pace.position) } : nil
            streams.all[index].receivePlaylist(
                event,
                importing: variants?.choice.playlist.variables ?? [:],
                laidAnew: place.map(StreamPlaylist.Place.init),
                &turn
            )
        }
        let isOver = isMedia && !streams.all[index].isLoading
        if isOver { meter.end(at: turn.now) }
        let counts = source.settings.adapting.estimate != .lastAndMeanOfThree || streams.all[index].role == .main
        if let begun, counts, streams.all[index].arrivals > arrivals {
            meter.finish(segmentOf: begun.bytes, took: turn.now - begun.at)
        }
        if streams.all[index].role == .subtitles, streams.all[index].failure != nil {
            streams.all[index].stop(&turn)
            streams.all.remove(at: index)
        }
        if isOver { return true }
        if isMedia, case .data = event {
            return abandonLate(&turn) || source.settings.buffering.counts != .segments
        }
        return false
    }

    /// Handles news of a stream's hinted request.
    ///
    /// The measurement starts at the response, because the part did not exist before.
    private mutating func takeHint(_ event: FetchEvent, ofStream index: Int, _ turn: inout Turn) -> Bool {
        streams.all[index].receiveHint(event, &turn)
        if case .finished = event, let came = streams.all[index].hint.arrival {
            meter.add(came.bytes.count, took: came.took)
        }
        return event.isOutcome
    }

    // MARK: Playlists that come while it streams

    /// Handles the result of loading the playlist of a variant to change to.
    private mutating func changeCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ turn: inout Turn
    ) {
        guard let address = variants?.change?.load.url else { return }
        do throws(PlaybackError) {
            let complaint = "a variant is itself a multivariant playlist"
            let (arrival, timeline) = try take(result, of: .main, from: address, or: complaint, &turn)
            variants?.arrived(timeline, arrival)
        } catch {
            if case .success = result { turn.record(error, uri: address) }
            variants?.failed(error, at: turn.now)
        }
    }

    /// Handles the result of loading the playlist of another audio rendition.
    private mutating func soundCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ turn: inout Turn
    ) {
        let address = sound.change?.url ?? ""
        sound.change = nil
        guard let index = streams.all.firstIndex(where: { $0.role == .audio }) else { return }
        do throws(PlaybackError) {
            let complaint = "an audio rendition is a multivariant playlist"
            let (arrival, timeline) = try take(result, of: .audio, from: address, or: complaint, &turn)
            if streams.all[index].isLoading { meter.end(at: turn.now) }
            streams.all[index].change(to: timeline, from: arrival.url, at: pace.position, &turn)
            streams.all[index].playlist.came(began: arrival.began)
        } catch {
            if case .success = result { turn.record(error, uri: address) }
            streams.all[index].failure = error
        }
    }

    /// Handles the result of loading the subtitle playlist, which is optional.
    private mutating func subtitlesCame(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        _ turn: inout Turn
    ) {
        let address = subtitles?.url
        subtitles = nil
        guard case .success(let arrival) = result, case .media(let media) = arrival.playlist else { return }
        turn.deliver(arrival, of: .subtitles, from: address ?? arrival.url)
        do throws(PlaybackError) {
            let timeline = try timeline(of: media, arrival)
            turn.log(timeline, from: arrival.url)
            let position = start ?? wantedStart ?? timeline.joinPosition
            var stream = StreamLoader(role: .subtitles, arrival, timeline, position: position)
            stream.takeUp(at: pace.position, &turn)
            streams.all.append(stream)
        } catch {
            turn.record(error, uri: arrival.url)
        }
    }

    /// Delivers a playlist that has arrived, and returns its timeline, aligned with the existing ones.
    private func take(
        _ result: Result<PlaylistLoad.Arrival, PlaybackError>,
        of role: StreamRole,
        from address: String,
        or complaint: String,
        _ turn: inout Turn
    ) throws(PlaybackError) -> (arrival: PlaylistLoad.Arrival, timeline: SegmentTimeline) {
        let arrival = try result.get()
        let media = try arrival.media(complaint)
        turn.deliver(arrival, of: role, from: address)
        let timeline = try timeline(of: media, arrival)
        turn.log(timeline, from: arrival.url)
        return (arrival, timeline)
    }

    /// Returns a playlist's timeline, aligned with the existing ones.
    private func timeline(
        of media: MediaPlaylist,
        _ arrival: PlaylistLoad.Arrival
    ) throws(PlaybackError) -> SegmentTimeline {
        try SegmentTimeline(media, arrival, of: variants?.choice, source.settings, beside: streams.timeline)
    }
}
