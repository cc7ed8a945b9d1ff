internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// What a stream makes of what comes.
extension StreamLoader {
    /// Takes in news of its request for media.
    ///
    /// - Parameters:
    ///   - event: The news.
    ///   - announced: What the multivariant playlist says that the media are coded with.
    ///   - keyring: What opens them.
    ///   - turn: The turn.
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

    /// Takes in news of its playlist, which is loaded again.
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

    /// A request for media has failed.
    private mutating func fail(_ reason: LoadFailure, _ turn: inout Turn) {
        turn.record(reason.error, uri: request.transfer?.url ?? playlist.url)
        pieces.underway = nil
        if case .part = request.target {
            // What is gone as a part may be there as a whole.
            request.giveUp()
            return giveUpParts()
        }
        let target = request.target
        if request.fail(reason, at: turn.now, turn.settings) { return }
        if turn.settings.failing.afterRetries == .skip, skip(target) { return }
        failure = reason.error
    }

    /// Opens what came whole, looks into it, and hands it over; what cannot be read fails the stream.
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

    /// Counts a segment that came.
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
