internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The prefetched segment, which is requested beside the current one and read after it.
extension StreamLoader {
    /// Requests the segment after the current one when the current response has begun, if it needs nothing else.
    mutating func prefetch(_ keyring: inout Keyring, _ maker: RequestMaker, ahead: Duration, _ turn: inout Turn) {
        guard turn.settings.requesting.prefetch, prefetched.transfer == nil, case .segment(next) = request.target,
            request.transfer?.response != nil, next + 1 >= playlist.timeline.first, next + 1 < playlist.timeline.upper
        else { return }
        let slot = playlist.timeline.slot(next + 1)
        guard !slot.isGap, slot.map.map({ content.has($0) }) ?? true, slot.key.map({ keyring.has($0.url) }) ?? true
        else {
            return
        }
        let following = next + 2 < playlist.timeline.upper ? playlist.timeline.slot(next + 2) : nil
        let isUnread = !turn.settings.requesting.prefetchHolds
        let begun = turn.begin("segment") { id in
            var request = maker.media(id, slot, following: following, stream: self, ahead: ahead)
            // A player that waits for the response to begin reads it.
            request.isUnread = isUnread
            return request
        }
        prefetched.begin(begun, for: .segment(next + 1), at: turn.now)
    }

    /// Starts reading the prefetched segment if it is next, and returns whether it is.
    mutating func readPrefetched(
        _ announced: AnnouncedCodecs,
        _ keyring: inout Keyring,
        _ maker: RequestMaker,
        ahead: Duration,
        _ turn: inout Turn
    ) -> Bool {
        guard let id = prefetched.transferID else { return false }
        // A player that reads one response at a time opens the next segment before it reads this one.
        let holds = turn.settings.requesting.prefetchHolds
        guard case .segment(next) = prefetched.target else {
            prefetched.stop(&turn)
            isPrefetchedWhole = false
            return false
        }
        request.take(over: &prefetched)
        if holds { prefetch(&keyring, maker, ahead: ahead, &turn) }
        request.setRead(!(holds && awaitsPrefetched), &turn)
        if isPrefetchedWhole {
            isPrefetchedWhole = false
            receive(.finished(id), announced, keyring, &turn)
        }
        return true
    }

    /// Whether the prefetch has no response yet.
    var awaitsPrefetched: Bool {
        prefetched.transfer.map { $0.response == nil } ?? false && !isPrefetchedWhole
    }

    /// Handles its news.
    ///
    /// Fetchers that read all data deliver them early.
    mutating func receivePrefetched(_ event: FetchEvent, _ turn: inout Turn) {
        switch event {
        case .response(_, let response):
            prefetched.receive(response, at: turn.now)
            if turn.settings.requesting.prefetchHolds { prefetched.setRead(false, &turn) }
        case .data(_, let bytes): _ = prefetched.receive(bytes, at: turn.now)
        case .failed: prefetched.giveUp()
        case .finished: isPrefetchedWhole = true
        }
    }
}
