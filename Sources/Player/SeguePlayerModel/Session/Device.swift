internal import SegueBase
internal import SegueEvents

/// The device of a session, with the platform's handling of media.
struct Device: Sendable {
    let platform: PlatformProfile

    /// The background playback policy that the app has set.
    private let policy: PlatformProfile.PlaybackPolicy

    var lifecycle: Lifecycle
    private var service: MediaService

    /// True if video keeps playing because no layer shows it.
    private(set) var isLayerHelping: Bool

    /// True if an interruption, such as a call, is in progress.
    private(set) var isInterrupted = false

    private(set) var route = AudioRoute.speaker

    var audioSession: AudioSession

    /// Movie players that were created immediately after another one was torn down, on platforms where these fail.
    private var stillborn: Set<ItemID> = []

    /// A device with an app in the foreground.
    init(_ platform: PlatformProfile, _ app: AppTraits) {
        self.platform = platform
        policy = app.playbackPolicy
        lifecycle = Lifecycle(profile: platform.lifecycle, hasService: app.hasForegroundService)
        service = MediaService(profile: platform)
        audioSession = AudioSession(rules: platform.audioSession, app.declarations)
        isLayerHelping = !app.hasLayer && platform.background.absentLayerHelps
    }

    // MARK: Pausing

    /// The items that the platform pauses, depending on how the app was left.
    private var pausing: PlatformProfile.Pausing {
        lifecycle.isLocked ? platform.background.pausesOnLock : platform.background.pausesOnHome
    }

    /// True if the platform pauses items with video under the app's policy.
    private var isPausing: Bool { platform.background.pausingPolicies.contains(policy) }

    /// Returns the reason for which the platform pauses an item when the user leaves the app, if it does.
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

    /// True if the media service has a request for an item that it has not judged.
    var isServicePending: Bool { service.isPending }

    mutating func request(_ request: PlayGate.Request, at now: Instant) { service.request(request, at: now) }

    /// Returns the platform's decision about the item that the player waits to play, if there is one.
    mutating func decide(
        at now: Instant,
        current: ItemID?,
        wanted: ItemID?,
        played: ItemID?,
        tracks: (ItemID) -> ItemTracks?,
        log: (EventKind) -> Void
    ) -> MediaService.Decision? {
        if let wanted, isInterrupted { return .ignore(wanted, reason: "an interruption is in progress") }
        if let wanted, stillborn.contains(wanted) {
            return .reject(wanted, reason: "its movie player was created immediately after another one was torn down")
        }
        return service.settle(
            at: now,
            current: current,
            wanted: wanted,
            played: played,
            isVideoForbidden: lifecycle.isMediaInBackground && pausing != .nothing && !isLayerHelping && isPausing,
            tracks: tracks,
            log: log
        )
    }

    /// Handles the creation of a movie player immediately after another one was torn down.
    mutating func remake(with item: ItemID) { if platform.service.remakingFails { stillborn.insert(item) } }

    /// Restarts the media service.
    mutating func resetService() {
        service = MediaService(profile: platform)
        isInterrupted = false
    }

    func nextChange(_ trail: AudioTrail, at now: Instant) -> Instant? {
        let own = service.nextChange(at: now)
        let next = lifecycle.nextChange(lastHeard: trail.lastAudioTime(at: now), isHeard: trail.isPlayingAudio)
        return [own, next].compactMap { $0 }.min()
    }

    // MARK: The video layer

    /// Detaches the video layer.
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

    /// Attaches the video layer, and returns the duration of media that playback skips.
    mutating func attachLayer() -> Duration {
        let wasHelping = isLayerHelping
        isLayerHelping = false
        return wasHelping ? platform.background.layerSkips : .zero
    }

    // MARK: Interruptions and outputs

    /// Begins an interruption, and returns whether it is new.
    mutating func interrupt() -> Bool {
        guard !isInterrupted, platform.background.interruption == .pauses else { return false }
        isInterrupted = true
        return true
    }

    /// Ends an interruption, and returns whether there was one.
    mutating func endInterruption() -> Bool {
        defer { isInterrupted = false }
        return isInterrupted
    }

    /// Changes the audio output, and returns whether it is new.
    mutating func change(to next: AudioRoute) -> Bool {
        guard next != route else { return false }
        route = next
        return true
    }
}
