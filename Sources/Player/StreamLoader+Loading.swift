internal import Fetch
internal import HLS
internal import Timeline

/// What a stream asks for, and when.
extension StreamLoader {
    /// How much a stream loads ahead.
    struct Depth: Sendable {
        /// As much as is enough.
        let limit: Duration
        /// So little that loading begins again.
        let resume: Duration
    }

    /// When loading goes on by itself; nil when it does not.
    func nextChange(playhead: Duration, rate: Double, depth: Depth, at now: Instant) -> Instant? {
        guard standing != .idle else { return nil }
        let again = timeline.isEnded || failure != nil ? nil : reload.nextChange
        return [again, nextRequest(playhead: playhead, rate: rate, depth: depth, at: now)].compactMap { $0 }.min()
    }

    private func nextRequest(playhead: Duration, rate: Double, depth: Depth, at now: Instant) -> Instant? {
        if !isResting { return transfer == nil && failure == nil ? attempts.retryAt : nil }
        guard rate > 0 else { return nil }
        let spare = bufferedEnd(from: playhead) - playhead - depth.resume
        return now + Duration(reckonedNanoseconds: (Double(spare.wholeNanoseconds) / rate).rounded(.up))
    }

    /// Begins the requests that are to be made now.
    mutating func load(
        playhead: Duration,
        at now: Instant,
        depth: Depth,
        keyring: inout Keyring,
        maker: RequestMaker,
        output: inout PlayerOutput
    ) {
        guard standing != .idle, failure == nil else { return }
        loadPlaylist(at: now, maker: maker, output: &output)
        while let slot = nextSlot, slot.isGap { place(slot) }
        let ahead = bufferedEnd(from: playhead) - playhead
        if isLoadedToEnd || ahead <= depth.resume { isResting = false }
        guard let slot = nextSlot, transfer == nil, attempts.allow(at: now) else { return }
        if ahead >= depth.limit { isResting = true }
        guard !isResting else { return }
        if let key = slot.key, !keyring.has(key.url) {
            failure = keyring.failure(key.url)
            return
        }
        begin(slot, at: now, maker: maker, ahead: ahead, output: &output)
    }

    private mutating func begin(
        _ slot: SegmentTimeline.Slot,
        at now: Instant,
        maker: RequestMaker,
        ahead: Duration,
        output: inout PlayerOutput
    ) {
        attempts.begin()
        let request: FetchRequest
        if let wanted = slot.map, wanted != map?.address {
            target = .map(wanted)
            request = output.begin("map") { maker.initialization($0, wanted) }
        } else {
            target = .segment(next)
            let following = next + 1 < timeline.upper ? timeline.slot(next + 1) : nil
            request = output.begin("segment") {
                maker.media($0, slot, following: following, stream: self, ahead: ahead)
            }
        }
        transfer = Transfer(request, began: now)
    }

    private mutating func loadPlaylist(at now: Instant, maker: RequestMaker, output: inout PlayerOutput) {
        guard !timeline.isEnded else { return }
        if reload.load == nil, reload.dueAt ?? now <= now { reload.load = PlaylistLoad(url: playlistURL, isLive: true) }
        reload.load?.load(at: now, output: &output) { maker.playlist($0, $1) }
    }

    /// A request for media has failed.
    mutating func fail(
        _ reason: LoadFailure,
        context: LoadContext,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) {
        let url = transfer?.url ?? playlistURL
        journal.record(reason.error, uri: url, item: context.item, at: context.now, output: &output)
        transfer = nil
        target = nil
        if !attempts.fail(reason, at: context.now, context.settings) { failure = reason.error }
    }
}
