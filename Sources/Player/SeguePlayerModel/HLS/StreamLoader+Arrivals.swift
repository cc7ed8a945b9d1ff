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
                return progress.countUnderway(of: request, &intake.content, context.settings.buffering)
            }
            context.cancel(id)
            fail(reason, &context)
        case .failed(_, let error): fail(LoadFailure(error), &context)
        case .finished:
            switch request.transfer?.result(isLive: !progress.playlist.timeline.isEnded) {
            case .success(let bytes):
                finish(bytes, with: MediaOpening(announced: announced, keyring: keyring), &context)
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

    /// Opens and delivers complete media.
    ///
    /// Unreadable media fail the stream.
    private mutating func finish(_ received: FetchBytes, with means: MediaOpening, _ context: inout StepContext) {
        guard let (media, target) = request.finish(received, of: progress.playlist.url, at: context.now) else { return }
        context.note(answer: media)
        switch target {
        case .map(let address, let key):
            failure = intake.receive(map: address, key: key, of: media, means, &context) ?? failure
        case .segment(let number):
            guard number == progress.next, let slot = nextSlot else { return }
            failure =
                intake.receive(segment: slot, number: number, isLast: progress.isNextLast, of: media, means, &context)
                ?? failure
            guard failure == nil else { return }
            intake.count(slot, number: number, of: media, &context)
            progress.place(slot)
            let effect = context.settings.buffering.effect(inTransportStream: intake.content.isTransportStream)
            failure = progress.pieces.note(intake.content.faults, of: media.transfer.url, effect)
        case .part(let part): finishPart(part, of: media, with: means, &context)
        }
    }

    /// Opens and delivers a complete part.
    ///
    /// An unreadable part is loaded with its segment.
    mutating func finishPart(
        _ slot: SegmentTimeline.Slot,
        of received: ReceivedMedia,
        with means: MediaOpening,
        _ context: inout StepContext
    ) {
        do throws(PlaybackError) {
            try intake.receive(part: slot, number: progress.next, of: received, means, &context)
            progress.place(slot)
        } catch {
            context.record(error, uri: received.transfer.url)
            progress.giveUpParts()
        }
    }
}
