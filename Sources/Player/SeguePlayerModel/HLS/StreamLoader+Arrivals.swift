internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Responses to a stream's requests.
extension StreamLoader {
    /// Handles news of its request for media.
    mutating func receive(
        _ event: FetchEvent,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) {
        switch event {
        case .response(_, let response): request.receive(response, at: context.now)
        case .data(let id, let bytes):
            guard let reason = request.receive(bytes, at: context.now) else {
                switch context.settings.buffering.counts {
                case .segments: break
                case .bytes: countUnderway()
                case .blocks: if nextSlot?.map == nil { countUnderway(by: StreamLoader.block) }
                }
                return
            }
            context.cancel(id)
            fail(reason, &context)
        case .failed(_, let error): fail(LoadFailure(error), &context)
        case .finished:
            switch request.transfer?.result(isLive: !progress.playlist.timeline.isEnded) {
            case .success(let bytes):
                finish(request.whole(bytes), announced: announced, keyring: keyring, &context)
                if let failure { context.record(failure, uri: progress.playlist.url) }
            case .failure(let reason): fail(reason, &context)
            case nil: break
            }
        }
    }

    /// Handles news of its playlist reload.
    mutating func receivePlaylist(
        _ event: FetchEvent,
        importing variables: [String: String],
        laidAnew place: StreamPlaylist.Place?,
        _ context: inout StepContext
    ) {
        do throws(PlaybackError) {
            let isLaidAnew = try progress.playlist.receive(event, importing: variables, laidAnew: place, &context)
            if isLaidAnew, let place { progress.renumber(at: place.position) }
        } catch {
            failure = error
        }
    }

    /// Handles a failed request for media.
    private mutating func fail(_ reason: LoadFailure, _ context: inout StepContext) {
        context.record(reason.error, uri: request.transfer?.url ?? progress.playlist.url)
        progress.pieces.underway = nil
        if case .part = request.target {
            // A missing part may exist as part of its segment.
            request.giveUp()
            return progress.giveUpParts()
        }
        let target = request.target
        if request.fail(reason, at: context.now, context.settings) { return }
        if context.settings.failing.afterRetries == .skip, skip(target) { return }
        failure = reason.error
    }

    /// Decrypts, inspects, and delivers complete media.
    ///
    /// Unreadable media fail the stream.
    private mutating func finish(
        _ received: FetchBytes,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) {
        guard let (transfer, target) = request.finish() else { return }
        context.note(progress.playlist.url) {
            $0.add(answerOf: received.count, from: transfer.response?.serverAddress ?? "")
        }
        let media = ReceivedMedia(transfer: transfer, bytes: received, took: context.now - transfer.began)
        switch target {
        case .map(let address, let key): finishMap(address, key: key, of: media, keyring: keyring, &context)
        case .segment(let number):
            guard number == progress.next, let slot = nextSlot else { return }
            finishSegment(slot, of: media, announced: announced, keyring: keyring, &context)
        case .part(let part): finishPart(part, of: media, announced: announced, keyring: keyring, &context)
        }
    }

    private mutating func finishMap(
        _ address: MapAddress,
        key: SegmentKey?,
        of received: ReceivedMedia,
        keyring: Keyring,
        _ context: inout StepContext
    ) {
        var bytes = received.bytes
        let url = received.transfer.url
        do throws(PlaybackError) {
            bytes = try content.openInitialization(bytes, of: address, key: key, keyring: keyring, url: url)
        } catch {
            failure = error
        }
        if !isProbe { context.deliver(bytes, of: received, in: role, as: .map) }
    }

    private mutating func finishSegment(
        _ slot: SegmentTimeline.Slot,
        of received: ReceivedMedia,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) {
        measure(slot, of: received, &context)
        var bytes = received.bytes
        let url = received.transfer.url
        do throws(PlaybackError) {
            bytes = try content.openSegment(slot, bytes, announced: announced, keyring: keyring, url: url)
        } catch {
            failure = error
        }
        if !isProbe { context.deliver(bytes, of: received, in: role, as: .segment(slot, number: progress.next)) }
        guard failure == nil else { return }
        if !isProbe { context.log(slot, number: progress.next, of: received, in: role) }
        progress.place(slot)
        arrivals += 1
    }

    /// Adds a segment or part to the measured speed and the access log.
    mutating func measure(_ slot: SegmentTimeline.Slot, of received: ReceivedMedia, _ context: inout StepContext) {
        let (bytes, took) = (received.bytes.count, received.took)
        speed.add(media: slot.duration, took: took, bytes: bytes)
        context.note(progress.playlist.url) { entry in
            entry.add(segmentOf: slot.duration, bytes: bytes, took: took)
            if took > slot.duration { entry.overdueSegments += 1 }
        }
    }
}

extension DeliveredResource.Kind {
    static func segment(_ slot: SegmentTimeline.Slot, number: Int) -> Self {
        .segment(
            number: number,
            start: slot.start,
            duration: slot.duration,
            map: slot.map,
            startsDiscontinuity: slot.startsDiscontinuity
        )
    }
}
