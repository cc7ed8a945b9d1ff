internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Hinted initialization sections (`EXT-X-PRELOAD-HINT` with `TYPE=MAP`; RFC 8216bis, 4.4.5.3 and 6.3.8).
extension StreamLoader {
    /// The initialization section to request before a segment needs it, if any.
    private var mapHintToFollow: PartTimeline.Hint? {
        guard isAtEdge, standing == .needed, !playlist.isAdrift, mapHint.isTrusted,
            let wanted = playlist.timeline.lowLatency.parts?.mapHint, !content.has(wanted.address)
        else { return nil }
        return wanted
    }

    /// Handles news of the hinted request.
    mutating func receiveMapHint(_ event: FetchEvent, _ context: inout StepContext) {
        if let failure = mapHint.receive(event, at: context.now) { failMapHint(failure.error, &context) }
    }

    /// Requests the hinted resource once.
    ///
    /// A hint that has disappeared is canceled.
    mutating func followMapHint(_ maker: RequestMaker, _ context: inout StepContext) {
        guard let wanted = mapHintToFollow else {
            if mapHint.hint != nil { mapHint.stop(&context) }
            return
        }
        guard wanted != mapHint.hint, wanted != mapHint.lastBroken else { return }
        mapHint.stop(&context)
        let request = context.begin("map") { maker.initialization($0, wanted.address) }
        mapHint.begin(wanted, request, at: context.now, within: playlist.timeline.patience(context.settings))
    }

    /// Uses the hinted data if the next segment needs them; if it needs others, the hint was wrong.
    mutating func consumeMapHint(_ slot: SegmentTimeline.Slot, keyring: Keyring, _ context: inout StepContext) {
        guard mapHint.hint != nil, request.transfer == nil, let map = slot.map, !content.has(map) else { return }
        guard mapHint.isMeant(map) else {
            let message = "the initialization section is not the hinted one: \(playlist.url)"
            return failMapHint(PlaybackError(.changed, message), &context)
        }
        let isKeyThere = (slot.mapKey?.url).map(keyring.holds) ?? true
        guard isKeyThere, let came = mapHint.consume() else { return }
        context.note(playlist.url) {
            $0.add(answerOf: came.bytes.count, from: came.transfer.response?.serverAddress ?? "")
        }
        do throws(PlaybackError) {
            let bytes = try content.openInitialization(
                came.bytes,
                of: map,
                key: slot.mapKey,
                keyring: keyring,
                url: came.transfer.url
            )
            context.deliver(
                DeliveredResource(
                    item: context.item,
                    stream: role,
                    kind: .map,
                    url: came.transfer.url,
                    range: came.transfer.range,
                    content: bytes
                )
            )
        } catch {
            // A request by its address would return the same.
            failure = error
            context.record(error, uri: playlist.url)
        }
    }

    /// Cancels a hinted request that has timed out.
    mutating func giveUpLateMapHint(_ context: inout StepContext) {
        guard mapHint.isOverdue(at: context.now) else { return }
        let url = mapHint.hint?.url ?? playlist.url
        failMapHint(PlaybackError(.network, -1001, "timed out waiting for the hinted resource: \(url)"), &context)
    }

    /// Records a failed hint.
    ///
    /// The resource is requested by its address when a segment needs it.
    private mutating func failMapHint(_ error: PlaybackError, _ context: inout StepContext) {
        context.record(error, uri: mapHint.hint?.url ?? playlist.url)
        mapHint.fail(&context)
    }
}
