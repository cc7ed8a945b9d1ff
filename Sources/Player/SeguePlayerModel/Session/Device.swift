internal import SegueBase
internal import SegueEvents

/// The device of a session, with the platform's handling of media.
struct Device: Sendable {
    let platform: PlatformProfile

    /// The background playback policy that the app has set.
    private let policy: PlatformProfile.PlaybackPolicy

    var lifecycle: Lifecycle
    private var service: MediaService
    private let seed: UInt64

    /// The app's video layer, which sends the pause in the background.
    private(set) var layer: VideoLayer

    /// True if an interruption, such as a call, is in progress.
    private(set) var isInterrupted = false

    private(set) var route = AudioRoute.speaker

    var audioSession: AudioSession

    /// The frames that the layer has queued in the background.
    var frames: FrameQueue

    /// The item whose types of media a movie player announced last.
    var announcedTypes: ItemID?

    /// The origin of the last call to play.
    var resumption = Resumption.byApp

    /// Movie players that were created immediately after another one was torn down, on platforms where these fail.
    private var stillborn: Set<ItemID> = []

    /// A device with an app in the foreground.
    init(_ platform: PlatformProfile, _ app: AppTraits, seed: UInt64) {
        self.platform = platform
        self.seed = seed
        policy = app.playbackPolicy
        lifecycle = Lifecycle(profile: platform.lifecycle, hasService: app.hasForegroundService)
        service = MediaService(profile: platform, seed: seed)
        audioSession = AudioSession(rules: platform.audioSession, app.declarations)
        layer = VideoLayer(of: app)
        frames = FrameQueue(profile: platform.background.frames)
    }

    /// Gives a new process of the app its layer and its audio session.
    mutating func restart(with app: AppTraits?) {
        layer = VideoLayer(of: app ?? AppTraits())
        frames = FrameQueue(profile: platform.background.frames)
        // Other audio interrupts a session, which ends with its process.
        if audioSession.isInterruptedByOther { isInterrupted = false }
        audioSession.restart()
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
        guard layer != .absent else { return reasonToPause(item, platform.background.absentLayer.pauses) }
        let reason = reasonToPause(item, pausing)
        return layer == .attached ? reason.map { "\($0); the video layer sends the pause" } : reason
    }

    private func reasonToPause(_ item: PlayerItem, _ scope: PlatformProfile.Pausing) -> String? {
        let hasVideo = item.shownTracks(countingDisabled: scope == .anyVideo)?.hasVideo ?? false
        switch pausing == .nothing ? .nothing : scope {
        case .nothing: return nil
        case .enabledVideo, .anyVideo: return hasVideo && !layer.isHelping && isPausing ? "it has video" : nil
        case .everything: return !layer.isHelping || !hasVideo ? "everything is paused" : nil
        }
    }

    /// True if the background rules apply to items with video.
    private var isVideoForbidden: Bool {
        guard lifecycle.isMediaInBackground, pausing != .nothing, isPausing else { return false }
        return layer == .absent ? platform.background.absentLayer.isJudged : !layer.isHelping
    }

    // MARK: The media service

    /// True if the media service has a request for an item that it has not judged.
    var isServicePending: Bool { service.isPending }

    mutating func request(_ request: PlayGate.Request, at now: Instant) { service.request(request, at: now) }

    /// Returns the platform's decision about the item that the player waits to play, if there is one.
    mutating func decide(
        about items: MediaService.Items,
        at now: Instant,
        tracks: (ItemID) -> ItemTracks?,
        log: (EventKind) -> Void
    ) -> MediaService.Decision? {
        if let wanted = items.wanted, isInterrupted { return .ignore(wanted, reason: "an interruption is in progress") }
        if let wanted = items.wanted, stillborn.contains(wanted) {
            return .reject(wanted, reason: "its movie player was created immediately after another one was torn down")
        }
        return service.settle(
            items,
            at: now,
            isVideoForbidden: isVideoForbidden,
            isRemote: resumption == .byRemote,
            tracks: tracks,
            log: log
        )
    }

    /// Handles the creation of a movie player immediately after another one was torn down.
    mutating func remake(with item: ItemID) { if platform.service.remakingFails { stillborn.insert(item) } }

    /// Restarts the media service.
    mutating func resetService() {
        service = MediaService(profile: platform, seed: seed)
        isInterrupted = false
    }

    func nextChange(_ trail: AudioTrail, at now: Instant) -> Instant? {
        let own = [service.nextChange(at: now), frames.nextChange(at: now)].compactMap { $0 }.min()
        let next = lifecycle.nextChange(lastHeard: trail.lastAudioTime(at: now), isHeard: trail.isPlayingAudio)
        return [own, next].compactMap { $0 }.min()
    }

    // MARK: The video layer

    /// Detaches the video layer, if the app has one.
    mutating func detachLayer() {
        guard layer != .absent else { return }
        frames = FrameQueue(profile: platform.background.frames)
        let background = platform.background
        let help = lifecycle.isLocked ? background.detachingHelpsOnLock : background.detachingHelpsOnHome
        layer =
            switch help {
            case .never: .detached(helps: false)
            case .always: .detached(helps: true)
            case .untilSuspend: .detached(helps: !lifecycle.isMediaInBackground)
            }
    }

    /// Attaches the video layer, and returns the duration of media that playback skips.
    mutating func attachLayer() -> Duration {
        let wasHelping = layer.isHelping || layer == .absent
        layer = .attached
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
