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
    ///   - context: The step context.
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
            switch request.transfer?.result(isLive: !playlist.timeline.isEnded) {
            case .success(let bytes):
                finish(request.whole(bytes), announced: announced, keyring: keyring, &context)
                if let failure { context.record(failure, uri: playlist.url) }
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
            let isLaidAnew = try playlist.receive(event, importing: variables, laidAnew: place, &context)
            if isLaidAnew, let place { cursor.renumber(to: playlist.timeline.segment(at: place.position)) }
        } catch {
            failure = error
        }
    }

    /// Handles a failed request for media.
    private mutating func fail(_ reason: LoadFailure, _ context: inout StepContext) {
        context.record(reason.error, uri: request.transfer?.url ?? playlist.url)
        pieces.underway = nil
        if case .part = request.target {
            // A missing part may exist as part of its segment.
            request.giveUp()
            return giveUpParts()
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
        context.note(playlist.url) { $0.add(answerOf: received.count, from: transfer.response?.serverAddress ?? "") }
        let slot: SegmentTimeline.Slot?
        let kind: DeliveredResource.Kind
        switch target {
        case .map: (slot, kind) = (nil, .map)
        case .segment(let number):
            guard number == next, let due = nextSlot else { return }
            measure(due, bytes: received.count, took: context.now - transfer.began, &context)
            (slot, kind) = (due, .segment(due, number: number))
        case .part(let part):
            let media = ReceivedMedia(transfer: transfer, bytes: received, took: context.now - transfer.began)
            return finishPart(part, media, announced: announced, keyring: keyring, &context)
        }
        var bytes = received
        do throws(PlaybackError) {
            switch target {
            case .map(let address, let key):
                bytes = try content.openInitialization(
                    received,
                    of: address,
                    key: key,
                    keyring: keyring,
                    url: transfer.url
                )
            case .segment, .part:
                guard let slot else { break }
                bytes = try content.openSegment(
                    slot,
                    received,
                    announced: announced,
                    keyring: keyring,
                    url: transfer.url
                )
            }
        } catch {
            failure = error
        }
        if isProbe {
            guard failure == nil, let slot else { return }
            place(slot)
            return arrivals += 1
        }
        context.deliver(
            DeliveredResource(
                item: context.item,
                stream: role,
                kind: kind,
                url: transfer.url,
                range: transfer.range,
                content: bytes
            )
        )
        guard failure == nil, let slot else { return }
        log(slot, bytes: received.count, took: context.now - transfer.began, &context)
        place(slot)
        arrivals += 1
    }

    /// Counts a segment.
    mutating func measure(
        _ slot: SegmentTimeline.Slot,
        bytes: Int,
        took: Duration,
        _ context: inout StepContext
    ) {
        speed.add(media: slot.duration, took: took, bytes: bytes)
        context.note(playlist.url) { entry in
            entry.add(segmentOf: slot.duration, bytes: bytes, took: took)
            if took > slot.duration { entry.overdueSegments += 1 }
        }
    }

    func log(_ slot: SegmentTimeline.Slot, bytes: Int, took: Duration, _ context: inout StepContext) {
        context.log(
            .segmentLoaded(
                item: context.item.description,
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
