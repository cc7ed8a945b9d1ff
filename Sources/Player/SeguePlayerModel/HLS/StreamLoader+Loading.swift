internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Requests of a stream.
extension StreamLoader {
    /// Returns the instant at which loading continues without new input.
    ///
    /// Instants at which ``load(_:keyring:_:)`` would do nothing are excluded, so that time
    /// always advances.
    func nextChange(playhead: Duration, rate: Double, isHeld: Bool, depth: BufferDepth, at now: Instant) -> Instant? {
        guard progress.standing != .idle, failure == nil else { return nil }
        let again = [progress.playlist.nextChange, hints.nextChange].compactMap { $0 }.min()
        var next = isHeld ? nil : request.retryAt
        if isResting, !isHeld { next = BufferPause.end(ahead: ahead(of: playhead, depth), depth, rate: rate, at: now) }
        return [again, next, progress.meeting(playhead: playhead, rate: rate, at: now)].compactMap { $0 }
            .min()
    }

    /// Returns the buffer ahead of the playhead, including media that it will reach later.
    private func ahead(of playhead: Duration, _ depth: BufferDepth) -> Duration {
        let ahead = progress.ahead(of: playhead)
        return intake.content.isTransportStream ? max(.zero, ahead - depth.tail) : ahead
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
            let isHinted = !hints.isEmpty && consumeHints(slot, for: loading, keyring: keyring, &context)
            if slot.isGap {
                progress.place(slot)
            } else if !isHinted {
                break
            }
            if !isLoading { progress.stepOver() }
        }
        let ahead = ahead(of: loading.playhead, depth)
        if isLoadedToEnd { pause.end() } else { pause.end(ahead: ahead, depth) }
        prefetch(keyring: &keyring, maker: maker, ahead: ahead, &context)
        guard request.mayBegin(at: context.now) else { return }
        pause.begin(ahead: ahead, depth)
        guard let slot = nextSlot else {
            if !isResting {
                hints.followPart(of: progress, for: intake, with: maker, &context)
                hints.followMap(of: progress, for: intake, with: maker, &context)
            }
            return
        }
        let limit = progress.playlist.timeline.lowLatency.parts?.target ?? .zero
        if hints.part.isMeant(slot), hints.part.awaits(within: limit, at: context.now) { return }
        guard !isResting, !readPrefetched(loading, keyring: &keyring, ahead: ahead, &context) else { return }
        let wanted = slot.map.flatMap { intake.content.has($0) ? nil : $0 }
        if let wanted, hints.map.isMeant(wanted), hints.map.awaits(within: limit, at: context.now) { return }
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
        let rest = slot.isPart ? nil : request.rest(of: slot, number: progress.next)
        let wanted = progress.wanted(slot, number: progress.next, rest: rest)
        let begun = context.begin(slot.isPart ? "part" : "segment") {
            maker.media($0, wanted, for: intake, ahead: ahead)
        }
        request.begin(begun, for: slot.isPart ? .part(slot) : .segment(progress.next), at: context.now)
    }
}
