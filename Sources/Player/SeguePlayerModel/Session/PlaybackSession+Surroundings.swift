internal import SegueBase
internal import SegueEvents

/// Events of the device other than leaving the app and returning.
extension PlaybackSession {
    mutating func interrupt(at now: Instant) {
        guard device.interrupt() else { return }
        hold(because: "an interruption", as: "interruption", at: now)
        apply(.interruptionBegan, at: now)
    }

    mutating func endInterruption(shouldResume: Bool, at now: Instant) {
        guard device.endInterruption() else { return }
        resumeForInterruptionEnd(at: now)
        if device.platform.playback.liveAfterInterruption == .jumps { renditions.player.jumpToLive(at: now) }
        apply(shouldResume ? .interruptionEndedShouldResume : .interruptionEnded, at: now)
    }

    /// Resumes a suspended app at the end of an interruption, if the platform does.
    private mutating func resumeForInterruptionEnd(at now: Instant) {
        guard device.lifecycle.isSuspended else { return }
        let isDelivered =
            switch device.platform.background.interruptionEnd {
            case .delivered: true
            case .withheld: false
            case .seeded: interruptionEnds.nextUnit() < 0.5
            }
        guard isDelivered else { return }
        device.lifecycle.resumeInBackground(at: now)
        apply(.resumed, at: now)
    }

    mutating func changeRoute(to next: AudioRoute, at now: Instant) {
        guard device.change(to: next) else { return }
        let background = device.platform.background
        let isOfQueue = traits?.player == .queuePlayer
        let hasVideo = next != .airplay || !isOfQueue || background.sendsVideoFromQueue
        log(.platformRoute(route: next.rawValue, hasPicture: hasVideo))
        let mayBeRemote = hasVideo && renditions.player.current?.tracks?.hasVideo != false
        let isRemote = next == .airplay && device.platform.loading.airplay.loader == .receiver && mayBeRemote
        renditions.player.changeLoader(isRemote: isRemote, at: now)
        if next == .speaker, background.pausesWhenUnplugged, let current = renditions.player.current,
            renditions.player.rate > 0
        {
            log(.platformPaused(item: current.id.description, reason: PauseReason.outputRemoved))
            renditions.player.pause(at: now)
        }
        apply(.routeChanged, at: now)
    }

    mutating func resetMediaServices(at now: Instant) {
        device.resetService()
        renditions.player.failAll(PlaybackError(.platform, code: 2, "the media services were reset"), at: now)
        apply(.mediaServicesReset, at: now)
    }

    /// Pauses playback on behalf of the platform.
    mutating func hold(because reason: String, as name: String, at now: Instant) {
        guard let current = renditions.player.current, renditions.player.rate > 0 else { return }
        log(.platformPaused(item: current.id.description, reason: reason))
        renditions.player.holdByPlatform(reason: name, at: now)
    }

    // MARK: The phases of the app's life

    mutating func leave(byLock: Bool, at now: Instant) {
        device.lifecycle.leave(byLock: byLock, isPaused: renditions.player.timeControl == .paused, at: now)
    }

    mutating func apply(_ step: Lifecycle.Step, at now: Instant) {
        log(.platformLifecycle(phase: step.rawValue))
        switch step {
        case .willResignActive:
            stays.append(BackgroundStay(left: now, hadItem: renditions.player.current.map { !$0.isFailed } ?? false))
        case .mediaSuspended:
            if let reason = renditions.player.current.flatMap(device.reasonToPause) {
                hold(because: reason, as: "platform", at: now)
            }
        case .didEnterBackground:
            changeStay { $0.entered = now }
            stopUndeclaredAudio(at: now)
        case .suspended: hold(because: "the app is suspended", as: "suspended", at: now)
        case .willEnterForeground:
            let isPlaying = renditions.player.timeControl != .paused
            changeStay { $0.end(at: now, isPlaying: isPlaying) }
            hurryFrames(at: now)
        case .backgroundTaskExpired:
            if traits != nil { log(.backgroundTaskExpired(policy: app?.profile.name ?? "app")) }
        case .resumed:
            let held = app?.heldNews ?? newsForOutside ?? []
            app?.heldNews = []
            if newsForOutside != nil { newsForOutside = [] }
            for news in held { notifyApp(news, at: now) }
        case .terminated:
            changeStay { $0.noteTermination(at: now) }
            renditions.player.pause(at: now)
            renditions.player.removeAll(at: now)
            app?.restart()
            device.restart(with: traits)
        case .didBecomeActive: changeStay { $0.end(at: now) }
        case .locked, .unlocked, .interruptionBegan, .interruptionEnded, .interruptionEndedShouldResume, .routeChanged,
            .mediaServicesReset:
            break
        }
        if step.isToldToApp { notifyApp(.step(step), at: now) }
    }
}
