internal import Events
internal import Timeline

/// What the player learns of its items while they load.
extension QueuePlayer {
    // MARK: Loading

    mutating func load(at now: Instant) {
        for index in items.indices {
            if items[index].isFailed { continue }
            if !items[index].client.hasBegun, mayLoad(index) {
                items[index].client.begin()
                turn.log(.itemLoading(item: items[index].id.description))
            }
            items[index].update(rate: rate, &turn)
            noteChange(index, at: now)
        }
    }

    /// Whether an item may begin to load: the current one always, the next one as the profile says.
    private func mayLoad(_ index: Int) -> Bool {
        if index == 0 { return true }
        guard index == 1 else { return false }
        // What is loaded ahead of a switch does not take the line from what plays.
        if items[1].companion == items[0].id, !items[0].isLikelyToKeepUp { return false }
        switch profile.loading.preload {
        case .atOnce: return true
        case .never: return false
        case .nearEnd: return preloadPosition(of: items[0]).map { items[0].position >= $0 } ?? false
        }
    }

    // MARK: Status

    /// Takes in what an item's client has found out.
    mutating func learn(_ index: Int, at now: Instant) -> Bool {
        if items[index].isFailed {
            return index == 0 ? leaveFailed(at: now) : false
        }
        learnPosition(index)
        learnDuration(index)
        if leapForward(index, at: now) { return true }
        let position = items[index].loadingPosition
        if let tracks = items[index].client.tracks, tracks != items[index].tracks {
            items[index].tracks = tracks
            let name = items[index].id.description
            turn.log(.itemTracksKnown(item: name, hasVideo: tracks.hasVideo, hasAudio: tracks.hasAudio))
        }
        let isBuffered = items[index].client.bufferedEnd(from: position) > position
        let isAtEnd = items[index].duration.map { position >= $0 } ?? false
        let isUnknown = items[index].status == .unknown
        if let error = items[index].client.failure, isUnknown || !isBuffered && !isAtEnd {
            fail(index, error, at: now)
            return true
        }
        if isUnknown, items[index].client.isLoadedToEnd, items[index].client.tracks == nil {
            fail(index, PlaybackError(.media, 1, "none of the segments is there: \(items[index].url)"), at: now)
            return true
        }
        showFailure(index)
        guard isUnknown, let tracks = items[index].tracks, isBuffered || isAtEnd,
            items[index].duration != nil || items[index].client.isEndless
        else { return false }
        guard tracks.hasAudio || tracks.hasVideo else {
            fail(index, PlaybackError(.media, 1, "neither sound nor picture: \(items[index].url)"), at: now)
            return true
        }
        items[index].status = .readyToPlay
        let duration = items[index].duration?.seconds ?? -1
        turn.log(.itemReadyToPlay(item: items[index].id.description, duration: duration))
        turn.notify(.itemReady(items[index].id))
        return true
    }

    /// Takes in where an item begins, as soon as that is known.
    private mutating func learnPosition(_ index: Int) {
        if !items[index].isPositionKnown, let start = items[index].client.start {
            items[index].isPositionKnown = true
            items[index].position = start
        }
        if !items[index].isStartExact, items[index].client.start != nil {
            items[index].isStartExact = true
            let bounds = items[index].client.segmentBounds(at: items[index].position)
            items[index].position = bounds?.start ?? items[index].position
        }
    }

    /// Shows an item as failed after an error that it will get over, where the platform does so.
    private mutating func showFailure(_ index: Int) {
        guard profile.playback.showsPassingFailure else { return }
        let item = items[index]
        guard item.status == .readyToPlay, item.client.failure == nil,
            let error = item.journal.errors.last?.error, item.journal.errors.count > item.shownErrors
        else { return }
        items[index].shownErrors = item.journal.errors.count
        turn.log(.itemShowsFailure(item: item.id.description, message: error.message))
        turn.notify(.itemShowsFailure(item.id))
    }

    /// What the player does about a current item that has failed.
    private mutating func leaveFailed(at now: Instant) -> Bool {
        switch profile.playback.failedItem {
        case .consumed:
            removeCurrent(reason: "failed", follows: false, at: now)
            return true
        case .kept:
            guard rate != 0 else { return false }
            change(rate: 0, reason: "item failed", at: now)
            return true
        }
    }

    // MARK: Seeking

    mutating func finishSeek(at now: Instant) -> Bool {
        guard !items.isEmpty, let seek = items[0].seek, items[0].status == .readyToPlay else { return false }
        let current = items[0]
        guard let seekable = current.client.seekable else {
            endSeek(isFinished: false)
            return true
        }
        guard let landing = seek.landing else {
            stopClock(at: now, reason: "seek")
            items[0].close(.seek, &turn)
            let landing = self.landing(of: seek, in: current, seekable: seekable)
            items[0].seek?.landing = landing
            items[0].move(to: landing, &turn)
            return true
        }
        guard current.client.bufferedEnd(from: landing) > landing || current.duration.map({ landing >= $0 }) ?? false
        else { return false }
        items[0].position = landing
        turn.log(.itemTimeJumped(item: current.id.description, position: landing.seconds))
        turn.notify(.itemTimeJumped(current.id))
        endSeek(isFinished: true)
        return true
    }

    /// Where a seek lands: at a segment's start when the tolerances reach one, else exactly where it was sent.
    private func landing(
        of seek: PlayerItem.Seek,
        in item: PlayerItem,
        seekable: (start: Duration, end: Duration)
    ) -> Duration {
        let target = min(max(seek.target, seekable.start), seekable.end)
        guard target < seekable.end, let bounds = item.client.segmentBounds(at: target) else { return target }
        if target - bounds.start <= seek.before { return bounds.start }
        if bounds.end - target <= seek.after, bounds.end < seekable.end { return bounds.end }
        return target
    }

    // MARK: Buffers

    mutating func noteBuffers(at now: Instant) {
        for index in items.indices where items[index].client.hasBegun && !items[index].isFailed {
            let news = items[index].noteBuffer(rate: rate == 0 ? 1 : rate, at: now)
            for kind in news { turn.log(kind) }
        }
    }
}
