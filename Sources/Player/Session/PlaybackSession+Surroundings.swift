internal import Events
internal import Timeline

/// What the device does to a session besides moving the app between foreground and background.
extension PlaybackSession {
    // MARK: The video layer

    mutating func detachLayer() {
        let background = platform.background
        let help = lifecycle.isLocked ? background.detachingHelpsOnLock : background.detachingHelpsOnHome
        isLayerHelping = help.holds(isMediaSuspended: lifecycle.isMediaInBackground)
    }

    mutating func attachLayer(at now: Instant) {
        let wasHelping = isLayerHelping
        isLayerHelping = false
        guard wasHelping, platform.background.layerSkips > .zero else { return }
        player.skip(platform.background.layerSkips, reason: "the video layer was put back", at: now)
    }

    /// Whether the platform pauses items with video at all under the policy that the app has set.
    var isPausing: Bool { platform.background.pausingPolicies.contains(app?.playbackPolicy ?? .automatic) }

    // MARK: Interruptions

    mutating func interrupt(at now: Instant) {
        guard !isInterrupted, platform.background.interruption == .pauses else { return }
        isInterrupted = true
        if let current = player.current, player.rate > 0 {
            log(.platformPaused(item: current.id.description, reason: "an interruption"))
            player.holdByPlatform(reason: "interruption", at: now)
        }
        take(.interruptionBegan, at: now)
    }

    mutating func endInterruption(shouldResume: Bool, at now: Instant) {
        guard isInterrupted else { return }
        isInterrupted = false
        if platform.playback.liveAfterInterruption == .jumps { player.jumpToLive(at: now) }
        take(shouldResume ? .interruptionEndedShouldResume : .interruptionEnded, at: now)
    }

    // MARK: Outputs

    mutating func changeRoute(to next: AudioRoute, at now: Instant) {
        guard next != route else { return }
        let isTakenAway = next == .speaker
        route = next
        let hasPicture = next != .airplay || app?.player != .queuePlayer || platform.background.sendsVideoFromQueue
        log(.platformRoute(route: next.rawValue, hasPicture: hasPicture))
        if isTakenAway, platform.background.pausesWhenUnplugged, let current = player.current, player.rate > 0 {
            log(.platformPaused(item: current.id.description, reason: "the output was taken away"))
            player.pause(at: now)
        }
        take(.routeChanged, at: now)
    }

    // MARK: The media services

    mutating func resetMediaServices(at now: Instant) {
        service = MediaService(profile: platform)
        isInterrupted = false
        player.failAll(PlaybackError(.platform, 2, "the media services were reset"), at: now)
        take(.mediaServicesReset, at: now)
    }
}

extension PlatformProfile.LayerHelp {
    /// Whether taking the layer out helps, before or after the platform has suspended media.
    fileprivate func holds(isMediaSuspended: Bool) -> Bool {
        switch self {
        case .never: false
        case .always: true
        case .untilSuspend: !isMediaSuspended
        }
    }
}
