internal import Fetch
internal import HLS
internal import Timeline

/// What a client asks for, and how news reaches whom it is about.
extension HLSClient {
    private var depth: StreamLoader.Depth {
        guard wishes.forwardBuffer > .zero else {
            return StreamLoader.Depth(limit: settings.bufferLimit, resume: settings.bufferResume)
        }
        let share = settings.bufferResume.seconds / settings.bufferLimit.seconds
        return StreamLoader.Depth(
            limit: wishes.forwardBuffer,
            resume: .nanoseconds(Int64(wishes.forwardBuffer.seconds * share * 1e9))
        )
    }

    /// When loading goes on by itself; nil when it does not.
    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        var next: Instant?
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            next = next.map { min($0, instant) } ?? instant
        }
        switch phase {
        case .entry, .variant, .audio: consider(playlist?.nextChange)
        case .streaming:
            if let change, change.arrived == nil { consider(change.load.nextChange) }
            consider(audioChange?.nextChange)
            consider(subtitles?.nextChange)
            consider(keyring.nextChange)
            for stream in streams {
                consider(
                    stream.nextChange(playhead: playhead, rate: rate, isHeld: isHeld(stream), depth: depth, at: now)
                )
            }
        case .idle, .failed: break
        }
        return next
    }

    /// Begins the requests that are to be made now.
    mutating func update(
        playhead: Duration,
        rate: Double,
        _ turn: inout Turn
    ) {
        pace = (playhead, rate, turn.now)
        switch phase {
        case .idle, .failed: break
        case .entry, .variant, .audio:
            let maker = self.maker(rate: rate)
            let isEntry = if case .entry = phase { true } else { false }
            playlist?.load(&turn) { isEntry ? maker.entry($0, $1) : maker.playlist($0, $1) }
        case .streaming:
            heedVideoWish(&turn)
            finishChange(&turn)
            chooseVariant(playhead: playhead, &turn)
            rejoin(at: playhead)
            request(playhead: playhead, &turn)
        }
    }

    private mutating func request(playhead: Duration, _ turn: inout Turn) {
        let maker = self.maker(rate: pace.rate)
        let before = turn.requestCount
        if change?.arrived == nil { change?.load.load(&turn) { maker.playlist($0, $1) } }
        audioChange?.load(&turn) { maker.playlist($0, $1) }
        subtitles?.load(&turn) { maker.playlist($0, $1) }
        for index in streams.indices {
            let former = streams[index].transfer != nil
            streams[index].load(
                playhead: playhead,
                at: turn.now,
                isHeld: isHeld(streams[index]),
                depth: depth,
                keyring: &keyring,
                maker: maker,
                &turn
            )
            if !former, streams[index].transfer != nil { meter.begin(at: turn.now) }
        }
        keyring.load(&turn) { maker.key($0, $1) }
        if turn.requestCount > before { isStarved = false }
    }

    /// Whether a stream begins no request for media until it has changed to another variant.
    private func isHeld(_ stream: StreamLoader) -> Bool {
        stream.role == .main && stream.transfer == nil && change.map { $0.isUrgent || $0.arrived != nil } == true
    }

    private func maker(rate: Double) -> RequestMaker {
        var data = CommonMediaData()
        data.isStartup = !isSpeedKnown
        data.isStarved = isStarved
        data.contentID = contentID
        data.rate = rate == 0 ? 1 : rate
        data.session = session
        data.streamType = isStreaming ? isLive ? .live : .onDemand : nil
        data.topBitrate = ladder?.topBitrate
        return RequestMaker(
            settings: settings,
            data: data,
            bandwidth: variant.flatMap { ladder?.variants[$0].bandwidth } ?? 0,
            throughput: meter.bitsPerSecond,
            rate: data.rate
        )
    }

    /// Whether a request is one of this client's.
    func owns(_ id: FetchID) -> Bool {
        switch phase {
        case .entry, .variant, .audio: playlist?.owns(id) ?? false
        case .streaming:
            streams.indices.contains { streams[$0].owns(id) } || change?.load.owns(id) == true
                || audioChange?.owns(id) == true || subtitles?.owns(id) == true || keyring.owns(id)
        case .idle, .failed: false
        }
    }

    /// Takes in news of one of this client's requests.
    ///
    /// - Returns: Whether there is something to do about it.
    mutating func handle(
        _ event: FetchEvent,
        _ turn: inout Turn
    ) -> Bool {
        switch phase {
        case .idle, .failed: break
        case .entry, .variant, .audio:
            if let result = receive(event, &turn) {
                came(result, &turn)
                return true
            }
        case .streaming:
            if handleStreaming(event, &turn) { return true }
        }
        // A part of an answer may be the end of a request that gets on too slowly.
        return event.isOutcome || !owns(event.id)
    }

    /// Takes in news while streaming; tells whether there is something to do about a part of an answer.
    private mutating func handleStreaming(
        _ event: FetchEvent,
        _ turn: inout Turn
    ) -> Bool {
        let variables = multivariant?.playlist.variables ?? [:]
        if let index = streams.indices.first(where: { streams[$0].owns(event.id) }) {
            let isMedia = streams[index].transfer?.id == event.id
            if isMedia, case .data(_, let bytes) = event { meter.receive(bytes.count) }
            let place = streams[index].isAdrift ? timeline.map { ($0, pace.position) } : nil
            streams[index].receive(
                event,
                place: place,
                announced: announced,
                variables: variables,
                keyring: keyring,
                &turn
            )
            let isOver = isMedia && streams[index].transfer == nil
            if isOver { meter.end(at: turn.now) }
            if streams[index].role == .subtitles, streams[index].failure != nil {
                streams[index].stop(&turn)
                streams.remove(at: index)
            }
            if isOver { return true }
            if isMedia, case .data = event { return abandonLate(&turn) }
        } else if change?.load.owns(event.id) == true {
            let result = change?.load.receive(
                event,
                importing: variables,
                &turn
            )
            if let result { changeCame(result, &turn) }
        } else if audioChange?.owns(event.id) == true {
            let result = audioChange?.receive(
                event,
                importing: variables,
                &turn
            )
            if let result { audioChangeCame(result, &turn) }
        } else if subtitles?.owns(event.id) == true {
            subtitlesCame(event, &turn)
        } else {
            keyring.receive(event, &turn)
        }
        return false
    }
}
