package import SegueBase
internal import SegueEvents

/// Changes without commands.
extension QueuePlayer {
    /// Does everything that is due, until nothing changes.
    ///
    /// - Parameters:
    ///   - isServiceAsked: True if the media service has responded at this instant, so that waiting for it is worth a
    ///     notice.
    package mutating func settle(at now: Instant, isServiceAsked: Bool = false) {
        context.now = now
        var isChanging = true
        while isChanging {
            isChanging = runClock()
            queue.leadCompanion(&context)
            load()
            for index in queue.items.indices.reversed() where learn(index) { isChanging = true }
            if interstitials.learn(in: queue, pace, playhead: &playhead, &context) { isChanging = true }
            if finishSeek() { isChanging = true }
            let rate = rate == 0 ? 1 : rate
            for index in queue.items.indices where queue.items[index].client.hasBegun && !queue.items[index].isFailed {
                queue.items[index].noteBuffer(rate: rate, &context)
            }
            changeStage { $1.followTracks(of: $0, &$2) }
            if !scanner.isOn, followInterstitials() { isChanging = true }
            if followScan() { isChanging = true }
            if followLiveEdge() { isChanging = true }
            if control(isServiceAsked: isServiceAsked) { isChanging = true }
        }
        if !queue.items.isEmpty, !queue.items[0].isFailed { queue.items[0].media.follow(timeControl, &context) }
    }

    // MARK: The playhead

    /// Moves the playhead to its present position, or to missing media or the end of the item if they come first.
    private mutating func runClock() -> Bool {
        guard let clock = playhead.clock, let limit = stageEnd else { return false }
        let reached = clock.instant(of: limit)
        if interstitials.isOn { return runAsset(clock, to: limit, reached: reached) }
        guard reached <= context.now else {
            moveCurrent(to: min(clock.position(at: context.now), limit))
            return false
        }
        moveCurrent(to: limit)
        queue.leadCompanion(&context)
        let isAtEnd = queue.items[0].duration.map { limit >= $0 } ?? false
        let isInterstitial = interstitials.isDue(in: queue.items[0], at: limit, isAtEnd: isAtEnd)
        let reason = isInterstitial ? "interstitial" : isAtEnd ? "end" : "stall"
        playhead.stop(in: &queue.items[0], at: reached, reason: reason, &context)
        if isInterstitial { return true }
        if isAtEnd { playedToEnd() } else { stalled() }
        return true
    }

    /// Moves the playhead of an interstitial's asset to its present position, or to a limit if that comes first.
    private mutating func runAsset(_ clock: Playhead.Clock, to limit: Duration, reached: Instant) -> Bool {
        let now = context.now
        changeStage { asset, _, context in
            asset.position = reached <= now ? limit : min(clock.position(at: now), limit)
            asset.move(to: asset.position, &context)
        }
        guard reached <= now, let asset = stage else { return false }
        let isLimit = interstitials.rest.map { limit >= $0 } ?? false
        let reason = isLimit ? "limit" : asset.isAtEnd ? "end" : "stall"
        changeStage { $1.stop(in: &$0, at: reached, reason: reason, &$2) }
        guard isLimit || asset.isAtEnd else {
            stalled()
            return true
        }
        interstitials.endAsset(&context)
        if isLimit { endInterstitial(.limit) }
        return true
    }

    private mutating func moveCurrent(to position: Duration) {
        queue.items[0].position = position
        queue.items[0].move(to: position, &context)
    }

    /// Stops the playhead where it is.
    mutating func stop(_ reason: String) {
        changeStage { $1.stop(in: &$0, at: $2.now, reason: reason, &$2) }
    }

    private mutating func stalled() {
        changeStage { item, _, context in item.stall(&context) }
        if settings.waitsToMinimizeStalls {
            drive.isStalling = true
        } else {
            change(rate: 0, reason: "stall")
        }
    }

    mutating func playedToEnd() {
        let id = queue.items[0].id
        context.log(.itemPlayedToEnd(item: id.description))
        context.notify(.itemPlayedToEnd(id))
        queue.items[0].close(.end, &context)
        switch settings.actionAtItemEnd {
        case .advance: removeCurrent(reason: "played to its end", next: .followed)
        case .none where profile.playback.endWithoutAction == .runsOn: queue.items[0].hasEnded = true
        case .pause, .none: change(rate: 0, reason: "end of item")
        }
    }

    // MARK: Interstitials and scans

    /// The rate, and the speed on the stage.
    private var pace: InterstitialPlayer.Pace { InterstitialPlayer.Pace(rate: rate, speed: stageRate) }

    /// Begins, advances, or ends the interstitial that is due, and returns whether anything changed.
    private mutating func followInterstitials() -> Bool {
        guard !queue.items.isEmpty, queue.items[0].status == .readyToPlay else { return false }
        return finish(interstitials.follow(in: &queue, playhead: &playhead, &context))
    }

    /// Ends the interstitial, and continues the current item.
    mutating func endInterstitial(_ end: InterstitialPlayer.End) {
        finish(interstitials.end(end, in: &queue, playhead: &playhead, &context))
    }

    /// Handles the result of an interstitial's step, and returns whether anything changed.
    @discardableResult
    private mutating func finish(_ step: InterstitialPlayer.Step) -> Bool {
        switch step {
        case .nothing: return false
        case .changed: return true
        case .itemEnded:
            playedToEnd()
            return true
        }
    }

    /// Advances the scan, and returns whether anything changed.
    private mutating func followScan() -> Bool {
        guard scanner.isOn else { return false }
        scanner.show(in: queue, &context)
        if let end = scanner.endReached(at: context.now) {
            endScan(end)
            return true
        }
        scanner.load(in: &queue, &context)
        return false
    }

    /// Ends the scan, if there is one, and continues at its position.
    mutating func endScan(_ end: ItemScanner.End) {
        guard let former = scanner.end(end, in: &queue, &context) else { return }
        interstitials.moved(in: queue.items[0], from: former)
    }

    // MARK: Loading

    private mutating func load() {
        for index in queue.items.indices {
            if queue.items[index].isFailed { continue }
            if !queue.items[index].client.hasBegun, mayLoad(index) {
                queue.items[index].media.begin()
                context.log(.itemLoading(item: queue.items[index].id.description))
            }
            if index == 0, scanner.isOn {
                queue.items[index].media.reload(&context)
                continue
            }
            queue.items[index].update(rate: index == 0 && interstitials.isOn ? 0 : rate, &context)
            guard queue.items[index].hasChanged else { continue }
            if index == 0, !interstitials.isOn { playhead.noteWatched(in: &queue.items[0], at: context.now) }
            queue.items[index].noteChange(&context)
        }
        if !scanner.isOn { interstitials.load(in: &queue, pace, &context) }
    }

    /// Returns whether an item may begin to load: the current one always, the next one according to the profile.
    private func mayLoad(_ index: Int) -> Bool {
        if index == 0 { return true }
        guard index == 1 else { return false }
        // A preloaded item must not take bandwidth from the current one.
        if queue.hasCompanion, !queue.items[0].isLikelyToKeepUp { return false }
        switch profile.loading.requesting.preload {
        case .atOnce: return true
        case .never: return false
        case .nearEnd: return preloadPosition.map { queue.items[0].position >= $0 } ?? false
        }
    }

    /// Updates an item from its client.
    private mutating func learn(_ index: Int) -> Bool {
        if queue.items[index].isFailed { return index == 0 ? leaveFailed() : false }
        let isRunning = index == 0 && (playhead.clock != nil || interstitials.isOn || scanner.isOn)
        let lesson = queue.items[index].learn(
            isRunning: isRunning,
            showsPassingFailure: profile.playback.showsPassingFailure,
            behindWindow: profile.playback.behindWindow,
            &context
        )
        switch lesson {
        case .nothing: return false
        case .changed: return true
        case .failed(let error):
            fail(index, error)
            return true
        }
    }

    /// Handles a current item that has failed.
    private mutating func leaveFailed() -> Bool {
        switch profile.playback.failedItem {
        case .consumed:
            removeCurrent(reason: "failed")
            return true
        case .kept:
            guard rate != 0 else { return false }
            change(rate: 0, reason: "item failed")
            return true
        }
    }

    private mutating func finishSeek() -> Bool {
        guard let seek = queue.items.first?.seek, queue.items[0].status == .readyToPlay else { return false }
        guard let seekable = queue.items[0].client.seekable else {
            queue.items[0].endSeek(isFinished: false, &context)
            return true
        }
        guard seek.landing == nil else { return landSeek() }
        stop("seek")
        interstitials.giveUp(&context)
        queue.items[0].aim(within: seekable, &context)
        return true
    }

    private mutating func landSeek() -> Bool {
        let (former, wasAtEnd) = (queue.items[0].position, queue.items[0].isAtEnd)
        guard queue.items[0].land(&context) else { return false }
        drive.restartsAt = wasAtEnd ? context.now + profile.playback.restartsAfter : nil
        interstitials.moved(in: queue.items[0], from: former)
        return true
    }

    // MARK: Rate and status

    /// Sets the rate as read, and ends a hold by the platform.
    mutating func change(rate: Double, reason: String) {
        endScan(.command)
        if rate == 0 {
            stop(reason)
        } else if let clock = playhead.clock, clock.rate != stageRate(at: rate) {
            stop("rate")
        }
        if drive.set(rate: rate, at: context.now) {
            liveSpeed = LiveSpeed()
            context.log(.playerRate(rate: rate, reason: reason))
        }
    }

    /// The minimum buffer to resume after a stall.
    private var resumesWith: Duration {
        let playback = profile.playback
        guard let often = playback.laterAfterStalls, let stalls = stage?.stalls, stalls > often else {
            return playback.resumesWith
        }
        return playback.resumesWithLater
    }

    /// Updates the status from the rate, the item, and the platform.
    private mutating func control(isServiceAsked: Bool) -> Bool {
        if !queue.items.isEmpty { drive.request(queue.items[0]) }
        // A scan shows frames regardless of the rate, which applies again when it ends.
        guard !scanner.isOn else { return false }
        let does = drive.wanted(
            of: stage,
            allowedFor: queue.current?.id,
            isRunning: playhead.clock != nil,
            waits: settings.waitsToMinimizeStalls,
            resumesWith: resumesWith,
            at: context.now
        )
        // The current item waits while an interstitial plays.
        let wanted = interstitials.isOn && does != .paused ? .waiting(.interstitialEvent) : does
        // The media service may respond immediately. Until then, there is nothing to announce.
        if wanted == .waiting(.mediaService), !isServiceAsked { return false }
        let runs = does == .playing && !(stage?.hasEnded ?? false) && !drive.isResting(at: context.now)
        guard wanted != timeControl || runs != (playhead.clock != nil) else { return false }
        if !runs {
            stop(wanted.waitingFor.isEmpty ? wanted.name : wanted.waitingFor)
        } else if playhead.clock == nil {
            startStage()
            drive.run()
        }
        guard drive.become(wanted) else { return false }
        context.log(.playerTimeControl(status: wanted.name, waitingFor: wanted.waitingFor))
        context.notify(.timeControl(wanted))
        return true
    }

    private mutating func startStage() {
        if interstitials.isOn { interstitials.logAssetStart(in: queue, &context) }
        lookAtLiveEdge()
        runStage()
    }

    /// Starts the playhead.
    mutating func runStage() {
        let (rate, wishedAt) = (stageRate, drive.wishedAt)
        changeStage { $1.start(in: &$0, rate: rate, wishedAt: wishedAt, &$2) }
    }

    // MARK: Insertion and removal

    mutating func removeCurrent(reason: String, next: PlayGate.Arrival = .queued) {
        endInterstitial(.removed)
        endScan(.interrupted)
        stop(reason)
        queue.items[0].endSeek(isFinished: false, &context)
        queue.remove(at: 0, because: reason, &context)
        becameCurrent(next)
        if queue.items.isEmpty { context.log(.queueEmptied(reason: reason)) }
    }

    /// Handles a new first item of the queue, if there is one.
    mutating func becameCurrent(_ arrival: PlayGate.Arrival) {
        drive.begin(arrival)
        context.notify(.currentItem(current?.id))
        if let current { context.log(.queueCurrent(item: current.id.description)) }
    }

    mutating func fail(_ index: Int, _ error: PlaybackError) {
        guard !queue.items[index].isFailed else { return }
        if index == 0 {
            endInterstitial(.removed)
            endScan(.interrupted)
            stop("failed")
            queue.items[0].endSeek(isFinished: false, &context)
        }
        queue.items[index].fail(error, &context)
    }
}
