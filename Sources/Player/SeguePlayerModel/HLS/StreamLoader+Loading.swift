internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Requests of a stream.
extension StreamLoader {
    /// Returns the instant at which loading continues without new input.
    ///
    /// Instants at which ``load(_:keyring:_:)`` would do nothing are excluded, so that time
    /// always advances.
    func nextChange(
        playhead: Duration,
        rate: Double,
        isHeld: Bool,
        depth: BufferDepth,
        at now: Instant
    ) -> Instant? {
        guard progress.standing != .idle, failure == nil else { return nil }
        let again = [progress.playlist.nextChange, hints.nextChange].compactMap { $0 }.min()
        let request = isHeld ? nil : nextRequest(playhead: playhead, rate: rate, depth: depth, at: now)
        return [again, request, progress.meeting(playhead: playhead, rate: rate, at: now)].compactMap { $0 }.min()
    }

    /// Returns the buffer ahead of the playhead, including media that it will reach later.
    private func ahead(of playhead: Duration, _ depth: BufferDepth) -> Duration {
        let ahead = progress.ahead(of: playhead)
        return content.isTransportStream ? max(.zero, ahead - depth.tail) : ahead
    }

    private func nextRequest(playhead: Duration, rate: Double, depth: BufferDepth, at now: Instant) -> Instant? {
        guard isResting else { return request.retryAt }
        guard rate > 0 else { return nil }
        let spare = ahead(of: playhead, depth) - depth.resume
        return now + Duration(reckonedNanoseconds: (Double(spare.wholeNanoseconds) / rate).rounded(.up))
    }

    var nextReload: Instant? { progress.standing != .idle && failure == nil ? progress.playlist.nextChange : nil }

    /// Reloads the playlist if that is due.
    mutating func reload(_ maker: RequestMaker, _ context: inout StepContext) {
        if progress.standing != .idle, failure == nil { progress.playlist.load(maker, &context) }
    }

    /// Begins the requests that are due; only for the playlist while media are held.
    mutating func load(_ loading: LoadConditions, keyring: inout Keyring, _ context: inout StepContext) {
        guard progress.standing != .idle, failure == nil else { return }
        let (depth, maker) = (loading.depth, loading.maker)
        progress.playlist.load(maker, &context)
        if hints.nextChange != nil { hints.giveUpLate(of: progress.playlist.url, &context) }
        guard !loading.isHeld else { return }
        if !isLoading { progress.stepOver() }
        while let slot = nextSlot {
            consumeMapHint(slot, keyring: keyring, &context)
            if slot.isGap {
                progress.place(slot)
            } else if !consumeHint(slot, announced: loading.announced, keyring: keyring, &context) {
                break
            }
            if !isLoading { progress.stepOver() }
        }
        let ahead = ahead(of: loading.playhead, depth)
        if isLoadedToEnd || ahead <= depth.resume { isResting = false }
        prefetch(keyring: &keyring, maker: maker, ahead: ahead, &context)
        guard request.mayBegin(at: context.now) else { return }
        // If the two are equal, loading pauses above them.
        if ahead >= depth.limit, ahead > depth.resume { isResting = true }
        guard let slot = nextSlot else {
            if !isResting {
                followHint(maker, &context)
                followMapHint(maker, &context)
            }
            return
        }
        if hints.part.transfer != nil, hints.part.isMeant(slot) {
            let limit = progress.playlist.timeline.lowLatency.parts?.target ?? .zero
            return hints.part.named(at: context.now, within: limit)
        }
        guard !isResting, !readPrefetched(loading, keyring: &keyring, ahead: ahead, &context) else { return }
        let wanted = slot.map.flatMap { content.has($0) ? nil : $0 }
        if let wanted, hints.map.transfer != nil, hints.map.isMeant(wanted) {
            let limit = progress.playlist.timeline.lowLatency.parts?.target ?? .zero
            return hints.map.named(at: context.now, within: limit)
        }
        if let url = (wanted == nil ? slot.key : slot.mapKey)?.url, !keyring.has(url) {
            failure = keyring.failure(url)
            return
        }
        begin(slot, wanting: wanted, maker: maker, ahead: ahead, &context)
    }

    /// Requests a segment, or the initialization section that it needs.
    private mutating func begin(
        _ slot: SegmentTimeline.Slot,
        wanting wanted: MapAddress?,
        maker: RequestMaker,
        ahead: Duration,
        _ context: inout StepContext
    ) {
        if let wanted {
            let begun = context.begin("map") { maker.initialization($0, wanted, of: progress.playlist.url) }
            return request.begin(begun, for: .map(wanted, key: slot.mapKey), at: context.now)
        }
        if slot.isPart {
            let following = progress.playlist.timeline.part(progress.next, progress.nextPart + 1)
            let begun = context.begin("part") {
                maker.media($0, slot, following: following, stream: self, ahead: ahead)
            }
            return request.begin(begun, for: .part(slot), at: context.now)
        }
        let following =
            progress.next + 1 < progress.playlist.timeline.upper
            ? progress.playlist.timeline.slot(progress.next + 1) : nil
        let rest = request.rest(of: slot, number: progress.next)
        let begun = context.begin("segment") {
            maker.media($0, slot, rest: rest, following: following, stream: self, ahead: ahead)
        }
        request.begin(begun, for: .segment(progress.next), at: context.now)
    }
}
