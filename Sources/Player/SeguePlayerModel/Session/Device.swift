internal import SegueBase
internal import SegueEvents

/// What a session runs on, with what the platform does to its media.
struct Device: Sendable {
    let platform: PlatformProfile

    /// What the app has asked of the platform about its media.
    private let policy: PlatformProfile.PlaybackPolicy

    var lifecycle: Lifecycle
    private var service: MediaService

    /// Whether pictures play on, since there is no layer that shows them.
    private(set) var isLayerHelping: Bool

    /// Whether something else has the sound.
    private(set) var isInterrupted = false

    private(set) var route = AudioRoute.speaker

    /// Items of movie players that were made as soon as the former one was torn down, where these fail.
    private var stillborn: Set<ItemID> = []

    /// A device with an app in the foreground.
    init(_ platform: PlatformProfile, _ app: AppTraits) {
        self.platform = platform
        policy = app.playbackPolicy
        lifecycle = Lifecycle(profile: platform.lifecycle, hasService: app.hasForegroundService)
        service = MediaService(profile: platform)
        isLayerHelping = !app.hasLayer && platform.background.absentLayerHelps
    }

    // MARK: Pausing

    /// What the platform pauses, by how the app was left.
    private var pausing: PlatformProfile.Pausing {
        lifecycle.isLocked ? platform.background.pausesOnLock : platform.background.pausesOnHome
    }

    /// Whether the platform pauses items with video at all under the policy that the app has set.
    private var isPausing: Bool { platform.background.pausingPolicies.contains(policy) }

    /// Why the platform pauses an item when the app is left; nil when it does not.
    func reasonToPause(_ item: PlayerItem) -> String? {
        let isCounting = pausing == .anyVideo
        let hasVideo = item.shownTracks(countingDisabled: isCounting)?.hasVideo ?? false
        switch pausing {
        case .nothing: return nil
        case .enabledVideo, .anyVideo: return hasVideo && !isLayerHelping && isPausing ? "it has video" : nil
        case .everything: return !isLayerHelping || !hasVideo ? "everything is paused" : nil
        }
    }

    // MARK: The media service

    /// Whether the media service has been asked to play an item and has not looked at it yet.
    var isServicePending: Bool { service.isPending }

    /// The player asks to play an item.
    mutating func request(_ request: PlayGate.Request, at now: Instant) { service.request(request, at: now) }

    /// What becomes of the item that the player waits to play.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - wanted: The item; nil for none.
    ///   - played: The item that plays, or is to; nil while the player is paused.
    ///   - tracks: What is known of an item.
    ///   - log: Takes what the media service comes to believe.
    /// - Returns: What the platform says; nil when there is nothing to say.
    mutating func decide(
        at now: Instant,
        wanted: ItemID?,
        played: ItemID?,
        tracks: (ItemID) -> ItemTracks?,
        log: (EventKind) -> Void
    ) -> MediaService.Decision? {
        if let wanted, isInterrupted { return .ignore(wanted, reason: "an interruption goes on") }
        if let wanted, stillborn.contains(wanted) {
            return .reject(wanted, reason: "the movie player before it was torn down just before it was made")
        }
        return service.settle(
            at: now,
            wanted: wanted,
            played: played,
            isVideoForbidden: lifecycle.isMediaInBackground && pausing != .nothing && !isLayerHelping && isPausing,
            tracks: tracks,
            log: log
        )
    }

    /// A movie player is made with an item just after the one before was torn down.
    mutating func remake(with item: ItemID) { if platform.service.remakingFails { stillborn.insert(item) } }

    /// The media service dies and is started anew.
    mutating func resetService() {
        service = MediaService(profile: platform)
        isInterrupted = false
    }

    /// When something changes by itself.
    func nextChange(_ trail: AudioTrail, at now: Instant) -> Instant? {
        let own = service.nextChange(at: now)
        let next = lifecycle.nextChange(lastHeard: trail.lastSounding(at: now), isHeard: trail.isSounding)
        return [own, next].compactMap { $0 }.min()
    }

    // MARK: The video layer

    /// The app takes the layer out of the screen.
    mutating func detachLayer() {
        let background = platform.background
        let help = lifecycle.isLocked ? background.detachingHelpsOnLock : background.detachingHelpsOnHome
        isLayerHelping =
            switch help {
            case .never: false
            case .always: true
            case .untilSuspend: !lifecycle.isMediaInBackground
            }
    }

    /// The app puts the layer back.
    ///
    /// - Returns: How much of the item is left out then.
    mutating func attachLayer() -> Duration {
        let wasHelping = isLayerHelping
        isLayerHelping = false
        return wasHelping ? platform.background.layerSkips : .zero
    }

    // MARK: Interruptions and outputs

    /// Something else takes the sound.
    ///
    /// - Returns: Whether that interrupts what plays.
    mutating func interrupt() -> Bool {
        guard !isInterrupted, platform.background.interruption == .pauses else { return false }
        isInterrupted = true
        return true
    }

    /// That is over.
    ///
    /// - Returns: Whether there was an interruption.
    mutating func endInterruption() -> Bool {
        defer { isInterrupted = false }
        return isInterrupted
    }

    /// The sound goes elsewhere.
    ///
    /// - Returns: Whether that is news.
    mutating func change(to next: AudioRoute) -> Bool {
        guard next != route else { return false }
        route = next
        return true
    }
}
