internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Hinted initialization sections (`EXT-X-PRELOAD-HINT` with `TYPE=MAP`; RFC 8216bis, 4.4.5.3 and 6.3.8).
extension StreamLoader {
    /// The initialization section to request before a segment needs it, if any.
    private var mapHintToFollow: PartTimeline.Hint? {
        guard isAtEdge, standing == .needed, !playlist.isAdrift, mapHint.isTrusted,
            let wanted = playlist.timeline.partTimeline?.mapHint, !content.has(wanted.address)
        else { return nil }
        return wanted
    }

    /// Handles news of the hinted request.
    mutating func receiveMapHint(_ event: FetchEvent, _ turn: inout Turn) {
        if let failure = mapHint.receive(event, at: turn.now) { failMapHint(failure.error, &turn) }
    }

    /// Requests the hinted resource once.
    ///
    /// A hint that has disappeared is canceled.
    mutating func followMapHint(_ maker: RequestMaker, _ turn: inout Turn) {
        guard let wanted = mapHintToFollow else {
            if mapHint.hint != nil { mapHint.stop(&turn) }
            return
        }
        guard wanted != mapHint.hint, wanted != mapHint.lastBroken else { return }
        mapHint.stop(&turn)
        let request = turn.begin("map") { maker.initialization($0, wanted.address) }
        mapHint.begin(wanted, request, at: turn.now, within: playlist.timeline.patience(turn.settings))
    }

    /// Uses the hinted data if the next segment needs them; if it needs others, the hint was wrong.
    mutating func takeMapHint(_ slot: SegmentTimeline.Slot, _ keyring: Keyring, _ turn: inout Turn) {
        guard mapHint.hint != nil, request.transfer == nil, let map = slot.map, !content.has(map) else { return }
        guard mapHint.isMeant(map) else {
            let message = "another initialization section came than was hinted at: \(playlist.url)"
            return failMapHint(PlaybackError(.changed, message), &turn)
        }
        let isKeyThere = (slot.mapKey?.url).map(keyring.holds) ?? true
        guard isKeyThere, let (transfer, received, _) = mapHint.take() else { return }
        turn.note(playlist.url) { $0.add(answerOf: received.count, from: transfer.response?.serverAddress ?? "") }
        do throws(PlaybackError) {
            let bytes = try content.take(received, of: map, slot.mapKey, keyring, url: transfer.url)
            turn.deliver(
                DeliveredResource(
                    item: turn.item,
                    stream: role,
                    kind: .map,
                    url: transfer.url,
                    range: transfer.range,
                    content: bytes
                )
            )
        } catch {
            // A request by its address would return the same.
            failure = error
            turn.record(error, uri: playlist.url)
        }
    }

    /// Cancels a hinted request that has timed out.
    mutating func giveUpLateMapHint(_ turn: inout Turn) {
        guard mapHint.isOverdue(at: turn.now) else { return }
        let url = mapHint.hint?.url ?? playlist.url
        failMapHint(PlaybackError(.network, -1001, "no answer to what was hinted at: \(url)"), &turn)
    }

    /// Records a failed hint.
    ///
    /// The resource is requested by its address when a segment needs it.
    private mutating func failMapHint(_ error: PlaybackError, _ turn: inout Turn) {
        turn.record(error, uri: mapHint.hint?.url ?? playlist.url)
        mapHint.fail(&turn)
    }
}
