package import Timeline

extension QueuePlayer {
    /// Does everything that is due, until nothing changes any more.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - isServiceAsked: Whether the media service has had its say at this instant, so that waiting for it is news.
    package mutating func settle(at now: Instant, isServiceAsked: Bool = false) {
        var isChanging = true
        while isChanging {
            isChanging = runClock(at: now)
            leadCompanion()
            load(at: now)
            for index in items.indices.reversed() where learn(index, at: now) { isChanging = true }
            if finishSeek(at: now) { isChanging = true }
            noteBuffers(at: now)
            followPictures(at: now)
            if control(at: now, isServiceAsked: isServiceAsked) { isChanging = true }
        }
        if !items.isEmpty, !items[0].isFailed { items[0].client.follow(timeControl, output: &output) }
    }

    // MARK: The playhead

    /// Moves the playhead to where it is now, at the most to where media are missing or the item ends.
    private mutating func runClock(at now: Instant) -> Bool {
        guard let clock, let current else { return false }
        let limit = current.bufferedEnd
        let reached = clock.instant(of: limit)
        guard reached <= now else {
            moveCurrent(to: min(clock.position(at: now), limit))
            return false
        }
        moveCurrent(to: limit)
        let isAtEnd = current.duration.map { limit >= $0 } ?? false
        stopClock(at: reached, reason: isAtEnd ? "end" : "stall")
        if isAtEnd { playedToEnd(at: now) } else { stalled(at: now) }
        return true
    }

    private mutating func moveCurrent(to position: Duration) {
        items[0].position = position
        items[0].client.move(to: position, output: &output)
    }

    private mutating func startClock(at now: Instant) {
        guard let current else { return }
        clock = Clock(position: current.position, instant: now, rate: rate)
        items[0].hasBegun = true
        isImmediate = false
        isStalling = false
        let hasAudio = current.tracks?.hasAudio ?? false
        let hasVideo = current.playsPictures
        trail.begin(
            item: current.id,
            url: current.url,
            isHeard: hasAudio,
            isShown: hasVideo,
            rate: rate,
            position: current.position,
            at: now
        )
        let indicated = current.client.indicatedBitrate
        let startup = wishedAt.map { now - $0 }
        let isFirst = current.journal.access.allSatisfy { $0.startupTime == nil }
        items[0].journal.update(uri: current.client.playlistURL, at: now) { entry in
            entry.indicatedBitrate = indicated
            entry.uri = current.client.playlistURL
            if isFirst { entry.startupTime = startup }
        }
        if hasAudio { output.log(.soundBegan(item: current.id.description, position: current.position.seconds)) }
        if hasVideo { output.log(.pictureBegan(item: current.id.description, position: current.position.seconds)) }
    }

    /// Pictures come or go while sound goes on.
    private mutating func followPictures(at now: Instant) {
        guard let clock, let current, trail.isShown != current.playsPictures else { return }
        let position = min(clock.position(at: now), current.bufferedEnd)
        let name = current.id.description
        output.log(
            trail.isShown
                ? .pictureEnded(item: name, position: position.seconds, reason: "pictures")
                : .pictureBegan(item: name, position: position.seconds)
        )
        trail.change(isShown: current.playsPictures, position: position, at: now)
    }

    /// Stops the playhead where it is.
    mutating func stopClock(at now: Instant, reason: String) {
        guard let clock, let current else { return }
        let position = max(current.position, min(clock.position(at: now), current.bufferedEnd))
        items[0].position = position
        self.clock = nil
        let from = current.watchedFrom ?? clock.position
        items[0].watchedFrom = nil
        items[0].journal.update(uri: current.client.playlistURL, at: now) { $0.watched += max(.zero, position - from) }
        if trail.isHeard {
            output.log(.soundEnded(item: current.id.description, position: position.seconds, reason: reason))
        }
        if trail.isShown {
            output.log(.pictureEnded(item: current.id.description, position: position.seconds, reason: reason))
        }
        trail.end(position: position, at: now, reason: reason)
    }

    private mutating func stalled(at now: Instant) {
        guard let current else { return }
        output.log(.itemStalled(item: current.id.description, position: current.position.seconds))
        output.notify(.itemStalled(current.id))
        items[0].journal.update(uri: current.client.playlistURL, at: now) { $0.stalls += 1 }
        items[0].client.starve()
        items[0].journal.close(.stall, item: current.id, output: &output)
        if waitsToMinimizeStalls {
            isStalling = true
        } else {
            change(rate: 0, reason: "stall", at: now)
        }
    }

    private mutating func playedToEnd(at now: Instant) {
        guard let current else { return }
        output.log(.itemPlayedToEnd(item: current.id.description))
        output.notify(.itemPlayedToEnd(current.id))
        items[0].journal.close(.end, item: current.id, output: &output)
        switch actionAtItemEnd {
        case .advance: removeCurrent(reason: "played to its end", follows: true, at: now)
        case .none where profile.playback.endWithoutAction == .runsOn: items[0].hasEnded = true
        case .pause, .none: change(rate: 0, reason: "end of item", at: now)
        }
    }

    // MARK: The queue

    mutating func removeCurrent(reason: String, follows: Bool, at now: Instant) {
        stopClock(at: now, reason: reason)
        endSeek(isFinished: false)
        var item = items.removeFirst()
        retire(&item, because: .removal, reason: reason, at: now)
        becameCurrent(at: now, follows: follows)
        if items.isEmpty { output.log(.queueEmptied(reason: reason)) }
    }

    /// Lets go of an item that has left the queue.
    mutating func retire(
        _ item: inout PlayerItem,
        because cause: AccessLogEntry.Reason,
        reason: String,
        at now: Instant
    ) {
        item.client.stop(at: item.position, output: &output)
        item.journal.close(cause, item: item.id, output: &output)
        output.log(.queueRemoved(item: item.id.description, reason: reason))
        removed.append(item)
    }

    /// The first item of the queue, if there is one, is now the current one.
    mutating func becameCurrent(at now: Instant, follows: Bool) {
        gate = .closed
        self.follows = follows
        isHeldByPlatform = false
        isImmediate = false
        isStalling = false
        output.notify(.currentItem(current?.id))
        if let current { output.log(.queueCurrent(item: current.id.description)) }
    }

    mutating func fail(_ index: Int, _ error: PlaybackError, at now: Instant) {
        guard !items[index].isFailed else { return }
        if index == 0 {
            stopClock(at: now, reason: "failed")
            endSeek(isFinished: false)
        }
        let item = items[index]
        items[index].status = .failed(error)
        items[index].client.stop(at: item.position, output: &output)
        output.log(
            .itemFailed(
                item: item.id.description,
                domain: error.domain.rawValue,
                code: error.code,
                message: error.message
            )
        )
        output.notify(.itemFailed(item.id))
        if item.hasBegun {
            output.log(.itemFailedToPlayToEnd(item: item.id.description, message: error.message))
            output.notify(.itemFailedToPlayToEnd(item.id))
        }
        items[index].journal.close(.failure, item: item.id, output: &output)
    }

    // MARK: Loading

    private mutating func load(at now: Instant) {
        for index in items.indices {
            if items[index].isFailed { continue }
            if !items[index].client.hasBegun, mayLoad(index) {
                items[index].client.begin()
                output.log(.itemLoading(item: items[index].id.description))
            }
            items[index].update(rate: rate, at: now, output: &output)
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
    private mutating func learn(_ index: Int, at now: Instant) -> Bool {
        let item = items[index]
        if item.isFailed {
            return index == 0 ? leaveFailed(at: now) : false
        }
        if !item.isPositionKnown, let start = item.client.start {
            items[index].isPositionKnown = true
            items[index].position = start
        }
        if !item.isStartExact, item.client.start != nil {
            items[index].isStartExact = true
            let bounds = item.client.segmentBounds(at: items[index].position)
            items[index].position = bounds?.start ?? items[index].position
        }
        learnDuration(index)
        if leapForward(index, at: now) { return true }
        let position = items[index].loadingPosition
        if let tracks = item.client.tracks, tracks != item.tracks {
            items[index].tracks = tracks
            output.log(
                .itemTracksKnown(item: item.id.description, hasVideo: tracks.hasVideo, hasAudio: tracks.hasAudio)
            )
        }
        let isBuffered = item.client.bufferedEnd(from: position) > position
        let isAtEnd = items[index].duration.map { position >= $0 } ?? false
        if let error = item.client.failure, item.status == .unknown || !isBuffered && !isAtEnd {
            fail(index, error, at: now)
            return true
        }
        if item.status == .unknown, item.client.isLoadedToEnd, item.client.tracks == nil {
            fail(index, PlaybackError(.media, 1, "none of the segments is there: \(item.url)"), at: now)
            return true
        }
        showFailure(index)
        guard item.status == .unknown, let tracks = items[index].tracks, isBuffered || isAtEnd,
            items[index].duration != nil || item.client.isEndless
        else { return false }
        guard tracks.hasAudio || tracks.hasVideo else {
            fail(index, PlaybackError(.media, 1, "neither sound nor picture: \(item.url)"), at: now)
            return true
        }
        items[index].status = .readyToPlay
        let duration = items[index].duration?.seconds ?? -1
        output.log(.itemReadyToPlay(item: item.id.description, duration: duration))
        output.notify(.itemReady(item.id))
        return true
    }

    /// Shows an item as failed after an error that it will get over, where the platform does so.
    private mutating func showFailure(_ index: Int) {
        let item = items[index]
        guard profile.playback.showsPassingFailure, item.status == .readyToPlay, item.client.failure == nil,
            let error = item.journal.errors.last?.error, item.journal.errors.count > item.shownErrors
        else { return }
        items[index].shownErrors = item.journal.errors.count
        output.log(.itemShowsFailure(item: item.id.description, message: error.message))
        output.notify(.itemShowsFailure(item.id))
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

    private mutating func finishSeek(at now: Instant) -> Bool {
        guard let current, let seek = current.seek, current.status == .readyToPlay else { return false }
        guard let seekable = current.client.seekable else {
            endSeek(isFinished: false)
            return true
        }
        guard let landing = seek.landing else {
            stopClock(at: now, reason: "seek")
            items[0].journal.close(.seek, item: current.id, output: &output)
            let landing = self.landing(of: seek, in: current, seekable: seekable)
            items[0].seek?.landing = landing
            items[0].client.move(to: landing, output: &output)
            return true
        }
        guard current.client.bufferedEnd(from: landing) > landing || current.duration.map({ landing >= $0 }) ?? false
        else { return false }
        items[0].position = landing
        output.log(.itemTimeJumped(item: current.id.description, position: landing.seconds))
        output.notify(.itemTimeJumped(current.id))
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

    private mutating func noteBuffers(at now: Instant) {
        for index in items.indices where items[index].client.hasBegun && !items[index].isFailed {
            let item = items[index]
            let position = item.loadingPosition
            let name = item.id.description
            let isEmpty = item.client.bufferedEnd(from: position) <= position && !item.isAtEnd
            if isEmpty != item.isBufferEmpty {
                items[index].isBufferEmpty = isEmpty
                output.log(.bufferEmpty(item: name, isEmpty: isEmpty))
            }
            let isFull = item.client.isResting
            if isFull != item.isBufferFull {
                items[index].isBufferFull = isFull
                output.log(.bufferFull(item: name, isFull: isFull))
            }
            let isLikely =
                item.isAtEnd || item.client.isLikelyToKeepUp(from: position, rate: rate == 0 ? 1 : rate, at: now)
            if isLikely != item.isLikelyToKeepUp {
                items[index].isLikelyToKeepUp = isLikely
                output.log(.bufferLikelyToKeepUp(item: name, isLikely: isLikely))
            }
        }
    }

    // MARK: Time control

    /// Brings the player to the state that its rate, its item and the platform allow.
    private mutating func control(at now: Instant, isServiceAsked: Bool) -> Bool {
        if rate > 0, !isHeldByPlatform, let current, !current.isFailed, gate.item != current.id {
            gate = .requested(current.id)
            startRequests.append(StartRequest(item: current.id, isContinuation: follows))
        }
        let wanted = wantedTimeControl(at: now)
        // The media service may answer at once; until it was asked there is nothing to announce.
        if wanted == .waiting(.mediaService), !isServiceAsked { return false }
        let runs = wanted == .playing && !(current?.hasEnded ?? false)
        guard wanted != timeControl || runs != (clock != nil) else { return false }
        if runs {
            if clock == nil { startClock(at: now) }
        } else {
            stopClock(at: now, reason: wanted.waitingFor.isEmpty ? wanted.name : wanted.waitingFor)
        }
        guard wanted != timeControl else { return false }
        timeControl = wanted
        announceTimeControl()
        return true
    }

    private mutating func announceTimeControl() {
        output.log(.playerTimeControl(status: timeControl.name, waitingFor: timeControl.waitingFor))
        output.notify(.timeControl(timeControl))
    }

    private func wantedTimeControl(at now: Instant) -> TimeControl {
        guard rate > 0, !isHeldByPlatform else { return .paused }
        guard let current else { return .waiting(.noItemToPlay) }
        guard !current.isFailed else { return .paused }
        if clock != nil || current.hasEnded { return .playing }
        if let reason = reasonToWait(for: current) { return .waiting(reason) }
        guard case .open(current.id, let from) = gate, from <= now else { return .waiting(.mediaService) }
        return .playing
    }

    /// What loading holds playback up; nil when nothing does.
    private func reasonToWait(for item: PlayerItem) -> WaitingReason? {
        let loading: WaitingReason =
            isStalling || item.client.isSpeedKnown ? .toMinimizeStalls : .evaluatingBufferingRate
        guard item.status == .readyToPlay, item.seek == nil else { return loading }
        if item.isAtEnd { return nil }
        if item.isBufferEmpty { return loading }
        if isImmediate || !waitsToMinimizeStalls { return nil }
        let ahead = item.bufferedEnd - item.position
        if isStalling, ahead < profile.playback.resumesWith, !item.isBufferFull, !item.client.isLoadedToEnd {
            return loading
        }
        return item.isLikelyToKeepUp || item.isBufferFull ? nil : loading
    }
}
