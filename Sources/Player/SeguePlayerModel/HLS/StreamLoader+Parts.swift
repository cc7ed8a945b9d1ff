internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Parts, and hinted parts.
extension StreamLoader {
    /// Handles news of the hinted request.
    mutating func receiveHint(_ event: FetchEvent, _ context: inout StepContext) {
        if let failure = hint.receive(event, at: context.now) { failHint(failure.error, &context) }
    }

    /// Records a failed hint.
    ///
    /// The part is requested by its address when the playlist contains it.
    mutating func failHint(_ error: PlaybackError, _ context: inout StepContext) {
        context.record(error, uri: hint.hint?.url ?? playlist.url)
        hint.fail(&context)
    }

    /// Requests the hinted part that is next.
    mutating func followHint(_ maker: RequestMaker, _ context: inout StepContext) {
        guard let wanted = hintToFollow else {
            if hint.hint != nil { hint.stop(&context) }
            return
        }
        guard wanted != hint.hint else { return }
        hint.stop(&context)
        let request = context.begin("part") { maker.hint($0, wanted, stream: self) }
        hint.begin(wanted, request, at: context.now, within: playlist.timeline.patience(context.settings))
    }

    /// Uses the hinted data for the next part, and returns whether it is loaded.
    mutating func consumeHint(
        _ slot: SegmentTimeline.Slot,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) -> Bool {
        guard hint.hint != nil, request.transfer == nil else { return false }
        guard hint.isMeant(slot) else {
            failHint(PlaybackError(.changed, "the next part is not the hinted one: \(playlist.url)"), &context)
            return false
        }
        guard slot.map.map(content.has) ?? true, (slot.key?.url).map(keyring.holds) ?? true, let came = hint.consume()
        else { return false }
        finishPart(slot, came, announced: announced, keyring: keyring, &context)
        return true
    }

    /// Decrypts, inspects, and delivers a complete part.
    ///
    /// An unreadable part is loaded with its segment.
    mutating func finishPart(
        _ slot: SegmentTimeline.Slot,
        _ received: ReceivedMedia,
        announced: AnnouncedCodecs,
        keyring: Keyring,
        _ context: inout StepContext
    ) {
        let bytes: FetchBytes
        do throws(PlaybackError) {
            bytes = try content.openSegment(
                slot,
                received.bytes,
                announced: announced,
                keyring: keyring,
                url: received.transfer.url
            )
        } catch {
            context.record(error, uri: received.transfer.url)
            return giveUpParts()
        }
        measure(slot, bytes: received.bytes.count, took: received.took, &context)
        context.deliver(
            DeliveredResource(
                item: context.item,
                stream: role,
                kind: .segment(slot, number: next),
                url: received.transfer.url,
                range: received.transfer.range,
                content: bytes
            )
        )
        log(slot, bytes: received.bytes.count, took: received.took, &context)
        place(slot)
        arrivals += 1
    }
}
