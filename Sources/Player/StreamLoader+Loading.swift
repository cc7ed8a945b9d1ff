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
    ///
    /// What ``load(playhead:isHeld:depth:keyring:maker:_:)`` would do nothing about is not announced, so that time
    /// always goes on.
    func nextChange(
        playhead: Duration,
        rate: Double,
        isHeld: Bool,
        depth: Depth,
        at now: Instant
    ) -> Instant? {
        guard standing != .idle, failure == nil else { return nil }
        let again = timeline.isEnded ? nil : reload.nextChange
        let request = isHeld ? nil : nextRequest(playhead: playhead, rate: rate, depth: depth, at: now)
        return [again, request, meeting(playhead: playhead, rate: rate, at: now)].compactMap { $0 }.min()
    }

    /// When the playhead comes to what was loaded ahead of it; nil where it is there, or nothing is.
    private func meeting(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        guard standing == .beside, rate > 0, let start = pieces.first?.start, start > playhead else { return nil }
        return now + Duration(reckonedNanoseconds: (Double((start - playhead).wholeNanoseconds) / rate).rounded(.up))
    }

    /// How much is there from the playhead on, or will be once it comes to what was loaded ahead of it.
    private func ahead(of playhead: Duration) -> Duration {
        bufferedEnd(from: max(playhead, pieces.first?.start ?? playhead)) - playhead
    }

    private func nextRequest(playhead: Duration, rate: Double, depth: Depth, at now: Instant) -> Instant? {
        guard isResting else { return transfer == nil ? attempts.retryAt : nil }
        guard rate > 0 else { return nil }
        let spare = ahead(of: playhead) - depth.resume
        return now + Duration(reckonedNanoseconds: (Double(spare.wholeNanoseconds) / rate).rounded(.up))
    }

    /// Begins the requests that are to be made now; for the playlist alone where the media are held.
    mutating func load(
        playhead: Duration,
        at now: Instant,
        isHeld: Bool,
        depth: Depth,
        keyring: inout Keyring,
        maker: RequestMaker,
        _ turn: inout Turn
    ) {
        guard standing != .idle, failure == nil else { return }
        loadPlaylist(at: now, maker: maker, &turn)
        guard !isHeld else { return }
        while let slot = nextSlot, slot.isGap { place(slot) }
        let ahead = ahead(of: playhead)
        if isLoadedToEnd || ahead <= depth.resume { isResting = false }
        guard transfer == nil, attempts.allow(at: now), let slot = nextSlot else { return }
        if ahead >= depth.limit { isResting = true }
        guard !isResting else { return }
        let wanted = slot.map.flatMap { $0 == map?.address ? nil : $0 }
        if let url = (wanted == nil ? slot.key : slot.mapKey)?.url, !keyring.has(url) {
            failure = keyring.failure(url)
            return
        }
        begin(slot, wanted, at: now, maker: maker, ahead: ahead, &turn)
    }

    /// Asks for a segment, or for the initialization section that is wanted before it.
    private mutating func begin(
        _ slot: SegmentTimeline.Slot,
        _ wanted: MapAddress?,
        at now: Instant,
        maker: RequestMaker,
        ahead: Duration,
        _ turn: inout Turn
    ) {
        let request: FetchRequest
        if let wanted {
            target = .map(wanted, key: slot.mapKey)
            request = turn.begin("map") { maker.initialization($0, wanted) }
        } else {
            target = .segment(next)
            let following = next + 1 < timeline.upper ? timeline.slot(next + 1) : nil
            request = turn.begin("segment") {
                maker.media($0, slot, following: following, stream: self, ahead: ahead)
            }
        }
        transfer = Transfer(request, began: now)
    }

    private mutating func loadPlaylist(at now: Instant, maker: RequestMaker, _ turn: inout Turn) {
        guard !timeline.isEnded else { return }
        if reload.load == nil, reload.dueAt ?? now <= now { reload.load = PlaylistLoad(url: playlistURL, isLive: true) }
        reload.load?.load(&turn) { maker.playlist($0, $1) }
    }

    /// A request for media has failed.
    mutating func fail(
        _ reason: LoadFailure,
        _ turn: inout Turn
    ) {
        let url = transfer?.url ?? playlistURL
        turn.record(reason.error, uri: url)
        transfer = nil
        target = nil
        if !attempts.fail(reason, at: turn.now, turn.settings) { failure = reason.error }
    }
}
