internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Hinted initialization sections (`EXT-X-PRELOAD-HINT` with `TYPE=MAP`; RFC 8216bis, 4.4.5.3 and 6.3.8).
extension StreamLoader {
    /// The initialization section to request before a segment needs it, if any.
    private var mapHintToFollow: PartTimeline.Hint? {
        guard hints.map.isTrusted, let wanted = progress.hintedMap, !content.has(wanted.address) else { return nil }
        return wanted
    }

    /// Requests the hinted resource once.
    ///
    /// A hint that has disappeared is canceled.
    mutating func followMapHint(_ maker: RequestMaker, _ context: inout StepContext) {
        let offered = mapHintToFollow
        guard offered == nil || offered != hints.map.lastBroken else { return }
        guard let wanted = hints.map.change(to: offered, &context) else { return }
        let request = context.begin("map") { maker.initialization($0, wanted.address) }
        hints.map.begin(wanted, request, at: context.now, within: progress.playlist.timeline.patience(context.settings))
    }

    /// Uses the hinted data if the next segment needs them; if it needs others, the hint was wrong.
    mutating func consumeMapHint(_ slot: SegmentTimeline.Slot, keyring: Keyring, _ context: inout StepContext) {
        guard hints.map.hint != nil, request.transfer == nil, let map = slot.map, !content.has(map) else { return }
        guard hints.map.isMeant(map) else {
            let message = "the initialization section is not the hinted one: \(progress.playlist.url)"
            return hints.map.fail(PlaybackError(.changed, message), of: progress.playlist.url, &context)
        }
        let isKeyThere = (slot.mapKey?.url).map(keyring.holds) ?? true
        guard isKeyThere, let came = hints.map.consume() else { return }
        context.note(progress.playlist.url) {
            $0.add(answerOf: came.bytes.count, from: came.transfer.response?.serverAddress ?? "")
        }
        do throws(PlaybackError) {
            let url = came.transfer.url
            let key = slot.mapKey
            let bytes = try content.openInitialization(came.bytes, of: map, key: key, keyring: keyring, url: url)
            context.deliver(bytes, of: came, in: role, as: .map)
        } catch {
            // A request by its address would return the same.
            failure = error
            context.record(error, uri: progress.playlist.url)
        }
    }
}
