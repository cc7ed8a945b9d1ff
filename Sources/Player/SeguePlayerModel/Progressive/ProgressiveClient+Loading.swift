internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Requests of a progressive client.
extension ProgressiveClient {
    /// Begins the request that is due, or cancels one that exceeds what is needed.
    mutating func update(playhead: Duration, rate: Double, _ context: inout StepContext) {
        defer { lastRate = rate }
        switch phase {
        case .idle, .failed: break
        case .opening(let reader, _):
            request(
                from: served.takesRanges == false ? 0 : reader.next,
                until: nil,
                rate: rate,
                &context
            )
        case .file(let layout): updateFile(layout, playhead: playhead, rate: rate, &context)
        case .radio: updateRadio(playhead: playhead, rate: rate, &context)
        }
    }

    private mutating func updateFile(
        _ layout: MediaLayout,
        playhead: Duration,
        rate: Double,
        _ context: inout StepContext
    ) {
        let buffered = bufferedEnd(from: playhead) - playhead
        if isLoadedToEnd || buffered <= ahead.least { isResting = false }
        guard !isLoadedToEnd else { return }
        if let transfer {
            // A server without support for ranges would restart from the beginning, so the rest may continue.
            let rest = (transfer.until ?? neededEnd) - transfer.next
            guard buffered >= ahead.most, served.takesRanges != false, rest > Self.shortWay else { return }
            isResting = true
            cancel(&context)
            return
        }
        guard failure == nil, !isResting else { return }
        if buffered >= ahead.most, served.takesRanges != false {
            isResting = true
            return
        }
        guard served.takesRanges != false else {
            return request(from: 0, until: nil, rate: rate, &context)
        }
        let enough = layout.map.offset(of: playhead + ahead.most)
        let until = min(neededEnd, max(enough, held.upperBound + Self.shortWay))
        request(from: held.upperBound, until: until, rate: rate, &context)
    }

    private mutating func updateRadio(playhead: Duration, rate: Double, _ context: inout StepContext) {
        guard !hasEnded else { return }
        let buffered = bufferedEnd(from: playhead) - playhead
        if isResting, lastRate == 0, rate > 0 {
            isResting = false
            changeRadio { $0.rejoin(at: playhead) }
        }
        if buffered <= ahead.least { isResting = false }
        if transfer != nil, rate == 0, buffered >= ahead.most {
            isResting = true
            changeRadio { $0.follow(.cleared, &context) }
            cancel(&context)
            return
        }
        guard !isResting, failure == nil else { return }
        request(from: 0, until: nil, rate: rate, &context)
    }

    /// Requests the bytes from an offset on, if no request is open and it is due.
    private mutating func request(
        from offset: Int64,
        until end: Int64?,
        rate: Double,
        _ context: inout StepContext
    ) {
        guard transfer == nil, failure == nil, attempts.allow(at: context.now) else { return }
        let isProbe = settings.files.probes && !served.isAnswered
        var range = isProbe ? RequestMaker.probe : nil
        if offset > 0 || settings.files.probes, let end = end ?? served.length, end > offset {
            range = FetchRange(offset: offset, length: end - offset)
        }
        var data = CommonMediaData()
        data.objectType = tracks.map(CommonMediaData.ObjectType.init) ?? .other
        data.bitrate = meter.speed.mediaBitrate
        data.throughput = meter.speed.bitsPerSecond
        data.isStartup = !isSpeedKnown
        data.contentID = source.contentID
        data.rate = rate == 0 ? 1 : rate
        data.session = source.session
        if layout != nil { data.streamType = .onDemand } else if isEndless { data.streamType = .live }
        let maker = RequestMaker(settings: settings, data: data, bandwidth: 0, throughput: nil, rate: data.rate)
        let validator = range == nil ? nil : served.validator
        let request = context.begin("file") { maker.file($0, url, range: range, validator: validator) }
        transfer = ByteTransfer(
            id: request.id,
            range: range,
            began: context.now,
            patience: request.patience,
            heldEnd: held.upperBound
        )
        transfer?.isProbe = isProbe
        changeRadio { $0.follow(.open, &context) }
    }
}

extension RequestMaker {
    /// The range of a probe.
    static let probe = FetchRange(offset: 0, length: 2)

    /// Returns a request for a file or a part of it, on the condition that it has not changed.
    func file(_ id: FetchID, _ url: String, range: FetchRange?, validator: String?) -> FetchRequest {
        var more: [(name: String, value: String)] = []
        if let validator { more.append(("If-Range", validator)) }
        if range == nil { more.append(("Icy-MetaData", "1")) }
        return request(id, url, data: data, with: Options(range: range, limit: .max, moreHeaders: more))
    }

    /// Returns a request for an item's own URL.
    ///
    /// If the URL does not identify a playlist, the resource may be a large file, of which a probe requests the start.
    func entry(_ id: FetchID, _ url: String, number: Int = 1, isProbe: Bool = false) -> FetchRequest {
        let lane = "\(RequestMaker.entryLane) \(number)"
        guard !EntryAnswer.namesPlaylist(url) else { return playlist(id, url, lane: lane) }
        var data = data
        data.objectType = .other
        let range = isProbe ? RequestMaker.probe : nil
        let options = Options(range: range, limit: .max, moreHeaders: [("Icy-MetaData", "1")], lane: lane)
        return request(id, url, data: data, with: options)
    }
}

extension CommonMediaData.ObjectType {
    /// The content type of a file with these tracks.
    init(_ tracks: ItemTracks) {
        self = tracks.hasVideo ? tracks.hasAudio ? .muxed : .video : .audio
    }
}
