internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Responses to a stream's requests.
extension StreamLoader {
    /// Handles news of its request for media.
    ///
    /// - Parameters:
    ///   - event: The news.
    ///   - announced: The codecs in the multivariant playlist.
    ///   - keyring: The keys.
    ///   - turn: The step context.
    mutating func receive(
        _ event: FetchEvent,
        _ announced: AnnouncedCodecs,
        _ keyring: Keyring,
        _ turn: inout Turn
    ) {
        switch event {
        case .response(_, let response): request.receive(response, at: turn.now)
        case .data(let id, let bytes):
            guard let reason = request.receive(bytes, at: turn.now) else {
                switch turn.settings.buffering.counts {
                case .segments: break
                case .bytes: countUnderway()
                case .blocks: if nextSlot?.map == nil { countUnderway(by: StreamLoader.block) }
                }
                return
            }
            turn.cancel(id)
            fail(reason, &turn)
        case .failed(_, let error): fail(LoadFailure(error), &turn)
        case .finished:
            switch request.transfer?.result(isLive: !playlist.timeline.isEnded) {
            case .success(let bytes):
                finish(request.whole(bytes), announced, keyring, &turn)
                if let failure { turn.record(failure, uri: playlist.url) }
            case .failure(let reason): fail(reason, &turn)
            case nil: break
            }
        }
    }

    /// Handles news of its playlist reload.
    mutating func receivePlaylist(
        _ event: FetchEvent,
        importing variables: [String: String],
        laidAnew place: StreamPlaylist.Place?,
        _ turn: inout Turn
    ) {
        do throws(PlaybackError) {
            let isLaidAnew = try playlist.receive(event, importing: variables, laidAnew: place, &turn)
            if isLaidAnew, let place { next = playlist.timeline.segment(at: place.position) }
        } catch {
            failure = error
        }
    }

    /// Handles a failed request for media.
    private mutating func fail(_ reason: LoadFailure, _ turn: inout Turn) {
        turn.record(reason.error, uri: request.transfer?.url ?? playlist.url)
        pieces.underway = nil
        if case .part = request.target {
            // A missing part may exist as part of its segment.
            request.giveUp()
            return giveUpParts()
        }
        let target = request.target
        if request.fail(reason, at: turn.now, turn.settings) { return }
        if turn.settings.failing.afterRetries == .skip, skip(target) { return }
        failure = reason.error
    }

    /// Decrypts, inspects, and delivers complete media.
    ///
    /// Unreadable media fail the stream.
    private mutating func finish(
        _ received: FetchBytes,
        _ announced: AnnouncedCodecs,
        _ keyring: Keyring,
        _ turn: inout Turn
    ) {
        guard let (transfer, target) = request.finish() else { return }
        turn.note(playlist.url) { $0.add(answerOf: received.count, from: transfer.response?.serverAddress ?? "") }
        let slot: SegmentTimeline.Slot?
        let kind: DeliveredResource.Kind
        switch target {
        case .map: (slot, kind) = (nil, .map)
        case .segment(let number):
            guard number == next, let due = nextSlot else { return }
            measure(due, received.count, took: turn.now - transfer.began, &turn)
            (slot, kind) = (due, .segment(due, number: number))
        case .part(let part):
            return finishPart(part, received, transfer, took: turn.now - transfer.began, announced, keyring, &turn)
        }
        var bytes = received
        do throws(PlaybackError) {
            switch target {
            case .map(let address, let key):
                bytes = try content.take(received, of: address, key, keyring, url: transfer.url)
            case .segment, .part:
                if let slot { bytes = try content.see(slot, received, announced, keyring, url: transfer.url) }
            }
        } catch {
            failure = error
        }
        if isProbe {
            guard failure == nil, let slot else { return }
            place(slot)
            return arrivals += 1
        }
        turn.deliver(
            DeliveredResource(
                item: turn.item,
                stream: role,
                kind: kind,
                url: transfer.url,
                range: transfer.range,
                content: bytes
            )
        )
        guard failure == nil, let slot else { return }
        log(slot, received.count, took: turn.now - transfer.began, &turn)
        place(slot)
        arrivals += 1
    }

    /// Counts a segment.
    mutating func measure(
        _ slot: SegmentTimeline.Slot,
        _ bytes: Int,
        took: Duration,
        _ turn: inout Turn
    ) {
        speed.add(media: slot.duration, took: took, bytes: bytes)
        turn.note(playlist.url) { entry in
            entry.add(segmentOf: slot.duration, bytes: bytes, took: took)
            if took > slot.duration { entry.overdueSegments += 1 }
        }
    }

    func log(_ slot: SegmentTimeline.Slot, _ bytes: Int, took: Duration, _ turn: inout Turn) {
        turn.log(
            .segmentLoaded(
                item: turn.item.description,
                stream: role.rawValue,
                number: next,
                bytes: bytes,
                start: slot.start.seconds,
                duration: slot.duration.seconds,
                seconds: took.seconds
            )
        )
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
