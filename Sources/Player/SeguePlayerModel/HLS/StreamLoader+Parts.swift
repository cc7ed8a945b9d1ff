internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Parts, and hinted parts.
extension StreamLoader {
    /// Handles news of the hinted request.
    mutating func receiveHint(_ event: FetchEvent, _ turn: inout Turn) {
        if let failure = hint.receive(event, at: turn.now) { failHint(failure.error, &turn) }
    }

    /// Records a failed hint.
    ///
    /// The part is requested by its address when the playlist contains it.
    mutating func failHint(_ error: PlaybackError, _ turn: inout Turn) {
        turn.record(error, uri: hint.hint?.url ?? playlist.url)
        hint.fail(&turn)
    }

    /// Requests the hinted part that is next.
    mutating func followHint(_ maker: RequestMaker, _ turn: inout Turn) {
        guard let wanted = hintToFollow else {
            if hint.hint != nil { hint.stop(&turn) }
            return
        }
        guard wanted != hint.hint else { return }
        hint.stop(&turn)
        let request = turn.begin("part") { maker.hint($0, wanted, stream: self) }
        hint.begin(wanted, request, at: turn.now, within: playlist.timeline.patience(turn.settings))
    }

    /// Uses the hinted data for the next part, and returns whether it is loaded.
    mutating func takeHint(
        _ slot: SegmentTimeline.Slot,
        _ announced: AnnouncedCodecs,
        _ keyring: Keyring,
        _ turn: inout Turn
    ) -> Bool {
        guard hint.hint != nil, request.transfer == nil else { return false }
        guard hint.isMeant(slot) else {
            failHint(PlaybackError(.changed, "another part came than was hinted at: \(playlist.url)"), &turn)
            return false
        }
        guard slot.map.map(content.has) ?? true, (slot.key?.url).map(keyring.holds) ?? true, let came = hint.take()
        else { return false }
        finishPart(slot, came.bytes, came.transfer, took: came.took, announced, keyring, &turn)
        return true
    }

    /// Decrypts, inspects, and delivers a complete part.
    ///
    /// An unreadable part is loaded with its segment.
    mutating func finishPart(
        _ slot: SegmentTimeline.Slot,
        _ received: FetchBytes,
        _ transfer: Transfer,
        took: Duration,
        _ announced: AnnouncedCodecs,
        _ keyring: Keyring,
        _ turn: inout Turn
    ) {
        let bytes: FetchBytes
        do throws(PlaybackError) {
            bytes = try content.see(slot, received, announced, keyring, url: transfer.url)
        } catch {
            turn.record(error, uri: transfer.url)
            return giveUpParts()
        }
        measure(slot, received.count, took: took, &turn)
        turn.deliver(
            DeliveredResource(
                item: turn.item,
                stream: role,
                kind: .segment(slot, number: next),
                url: transfer.url,
                range: transfer.range,
                content: bytes
            )
        )
        log(slot, received.count, took: took, &turn)
        place(slot)
        arrivals += 1
    }
}
