extension PlatformProfile {
    /// What becomes of playback while the app is in the background.
    package struct Background: Sendable, Equatable {
        /// What is paused on going home.
        package let pausesOnHome: Pausing
        /// What is paused on locking the device.
        package let pausesOnLock: Pausing
        /// What `rate` reads once the platform has paused.
        package let rateAfterPause: RateAfterPause
        /// What becomes of an item with video that an app starts.
        package let startingVideo: Verdict
        /// What becomes of a paused item with video that an app resumes.
        package let resumingVideo: Verdict
        /// Until when taking the video layer out keeps an item with video from being treated as one, on going home.
        package let detachingHelpsOnHome: LayerHelp
        /// The same on locking the device.
        package let detachingHelpsOnLock: LayerHelp
        /// Whether an item with video that never had a layer is treated as one without video.
        package let absentLayerHelps: Bool
        /// How much of the item is skipped when a layer is put back while it plays.
        package let layerSkips: Duration
        /// The background playback policies under which the platform pauses; under others it leaves items alone.
        package let pausingPolicies: [PlaybackPolicy]
        /// What becomes of playback when an interruption, such as a call, begins.
        package let interruption: Interruption
        /// Whether playback is paused when the output that it goes to is taken away.
        package let pausesWhenUnplugged: Bool
        /// Whether a queue player's picture goes to an external screen.
        package let sendsVideoFromQueue: Bool
    }

    /// What an app may wish for items with video in the background (`audiovisualBackgroundPlaybackPolicy`).
    package enum PlaybackPolicy: String, Sendable, CaseIterable {
        case automatic, pauses
        case continuesIfPossible = "continues-if-possible"
    }

    /// What an interruption does.
    package enum Interruption: String, Sendable, CaseIterable {
        /// Playback is paused; the app is told when it ends.
        case pauses
        /// Nothing.
        case ignored
    }

    /// What a platform pauses.
    package enum Pausing: String, Sendable, CaseIterable {
        case nothing
        /// Items with a video track that is enabled.
        case enabledVideo = "items-with-enabled-video"
        /// Items with a video track, enabled or not.
        case anyVideo = "items-with-video"
        case everything
    }

    /// What `rate` reads once the platform has paused.
    package enum RateAfterPause: String, Sendable, CaseIterable {
        /// What it was.
        case kept
        /// 0.
        case zero
    }

    /// What the media service says to a request.
    package enum Verdict: String, Sendable, CaseIterable {
        /// It plays.
        case allowed
        /// Nothing happens; the item stays paused.
        case ignored
        /// The item fails.
        case rejected
    }

    /// Until when taking the video layer out helps.
    package enum LayerHelp: String, Sendable, CaseIterable {
        case never
        /// Until the platform suspends media: in willResignActive, not in didEnterBackground.
        case untilSuspend = "until-suspend"
        case always
    }
}
