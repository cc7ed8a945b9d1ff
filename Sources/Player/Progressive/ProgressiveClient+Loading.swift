internal import Fetch
internal import HLS
internal import Timeline

/// What a progressive client asks for.
extension ProgressiveClient {
    /// Begins the request that is to be made now, or gives up what is more than enough.
    mutating func update(playhead: Duration, rate: Double, at now: Instant, output: inout PlayerOutput) {
        defer { lastRate = rate }
        switch phase {
        case .idle, .failed: break
        case .opening(let reader):
            request(
                from: served.takesRanges == false ? 0 : reader.next,
                until: nil,
                rate: rate,
                at: now,
                output: &output
            )
        case .file(let layout): updateFile(layout, playhead: playhead, rate: rate, at: now, output: &output)
        case .radio: updateRadio(playhead: playhead, rate: rate, at: now, output: &output)
        }
    }

    private mutating func updateFile(
        _ layout: MediaLayout,
        playhead: Duration,
        rate: Double,
        at now: Instant,
        output: inout PlayerOutput
    ) {
        let buffered = bufferedEnd(from: playhead) - playhead
        if isLoadedToEnd || buffered <= ahead.least { isResting = false }
        guard !isLoadedToEnd else { return }
        if let transfer {
            // A server that knows no parts would begin anew: there the rest is let come.
            let rest = (transfer.until ?? neededEnd) - transfer.next
            guard buffered >= ahead.most, served.takesRanges != false, rest > Self.shortWay else { return }
            isResting = true
            cancel(output: &output)
            return
        }
        guard failure == nil, !isResting else { return }
        if buffered >= ahead.most, served.takesRanges != false {
            isResting = true
            return
        }
        guard served.takesRanges != false else {
            return request(from: 0, until: nil, rate: rate, at: now, output: &output)
        }
        let enough = layout.map.offset(of: playhead + ahead.most)
        let until = min(neededEnd, max(enough, held.upperBound + Self.shortWay))
        request(from: held.upperBound, until: until, rate: rate, at: now, output: &output)
    }

    private mutating func updateRadio(playhead: Duration, rate: Double, at now: Instant, output: inout PlayerOutput) {
        guard case .radio(let radio) = phase, !hasEnded else { return }
        let buffered = bufferedEnd(from: playhead) - playhead
        if isResting, lastRate == 0, rate > 0 {
            // Nobody sends a stream to somebody who does not listen for so long: it goes on where it is by now.
            isResting = false
            var radio = radio
            radio.reconnect(at: playhead, metadata: nil, isRadio: radio.isRadio)
            phase = .radio(radio)
        }
        if buffered <= ahead.least { isResting = false }
        if transfer != nil, rate == 0, buffered >= ahead.most {
            isResting = true
            follow(.lost, output: &output)
            cancel(output: &output)
            return
        }
        guard !isResting, failure == nil else { return }
        request(from: 0, until: nil, rate: rate, at: now, output: &output)
    }

    /// Asks for the bytes from an offset on, where nothing is under way and it is time.
    private mutating func request(
        from offset: Int64,
        until end: Int64?,
        rate: Double,
        at now: Instant,
        output: inout PlayerOutput
    ) {
        guard transfer == nil, failure == nil, attempts.allow(at: now) else { return }
        attempts.begin()
        var range: FetchRange?
        if offset > 0, let end = end ?? served.length, end > offset {
            range = FetchRange(offset: offset, length: end - offset)
        }
        let maker = RequestMaker(cmcd: cmcd, patience: settings.patience, rate: rate, isStarting: !isSpeedKnown)
        let validator = range == nil ? nil : served.validator
        let (tracks, speed) = (self.tracks, self.speed)
        let id = output.fetch("file") { maker.file($0, url, range, validator: validator, tracks: tracks, speed: speed) }
        transfer = ByteTransfer(id: id, range: range, began: now)
        if radio != nil { follow(.open, output: &output) }
    }
}

extension RequestMaker {
    /// A request for a file, or the part of it, only if it is still the same.
    func file(
        _ id: FetchID,
        _ url: String,
        _ range: FetchRange?,
        validator: String?,
        tracks: ItemTracks?,
        speed: LoadSpeed
    ) -> FetchRequest {
        var headers = cmcd.headers(
            .file(tracks),
            bitrate: speed.mediaBitrate,
            ahead: nil,
            throughput: speed.bitsPerSecond,
            rate: rate == 0 ? 1 : rate,
            isStarting: isStarting
        )
        if let validator { headers.append(("If-Range", validator)) }
        if range == nil { headers.append(("Icy-MetaData", "1")) }
        return FetchRequest(id: id, url: url, range: range, headers: headers, patience: patience, limit: .max)
    }

    /// The first request of an item whose URL does not tell whether it is a playlist.
    func entry(_ id: FetchID, _ url: String) -> FetchRequest {
        let request = playlist(id, url)
        return FetchRequest(
            id: id,
            url: url,
            headers: request.headers + [("Icy-MetaData", "1")],
            patience: patience,
            limit: .max
        )
    }
}
