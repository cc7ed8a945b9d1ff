extension PlatformProfile {
    /// Playback while the app is in the background.
    package final class Background: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField("pauses-on-home", .word, meaning: "The items that the platform pauses when the user goes home.")
        package var pausesOnHome: Pausing

        @ProfileField("pauses-on-lock", .word, meaning: "The items that the platform pauses when the device is locked.")
        package var pausesOnLock: Pausing

        @ProfileField("rate-after-pause", .word, meaning: "The value of `rate` after the platform has paused playback.")
        package var rateAfterPause: RateAfterPause

        @ProfileField("starting-video", .word, meaning: "The result when an app starts an item with video.")
        package var startingVideo: Verdict

        package let resumingVideo = ResumingVideo()

        @ProfileField(
            "detaching-helps-on-home",
            .word,
            meaning: "The last moment at which detaching the video layer keeps an item playing when the user goes home."
        )
        package var detachingHelpsOnHome: LayerHelp

        @ProfileField(
            "detaching-helps-on-lock",
            .word,
            meaning:
                "The last moment at which detaching the video layer keeps an item playing when the device is locked."
        )
        package var detachingHelpsOnLock: LayerHelp

        package let absentLayer = AbsentLayer()
        package let frames = QueuedFrames()

        @ProfileField(
            "layer-skips",
            .duration,
            meaning: "The media that playback skips when a layer is attached again during playback."
        )
        package var layerSkips: Duration

        @ProfileField(
            "pausing-policies",
            .words(),
            meaning:
                "The policies of apps (`audiovisualBackgroundPlaybackPolicy`) under which the platform pauses items."
        )
        package var pausingPolicies: [PlaybackPolicy]

        @ProfileField("interruption", .word, meaning: "The effect of an interruption, such as a call.")
        package var interruption: Interruption

        @ProfileField(
            "interruption-end",
            .word,
            meaning: "The effect of the end of an interruption on an app that is suspended."
        )
        package var interruptionEnd: InterruptionEnd

        @ProfileField(
            "pauses-when-unplugged",
            .flag,
            meaning: "Playback pauses when the audio output, such as headphones, is removed."
        )
        package var pausesWhenUnplugged: Bool

        @ProfileField(
            "sends-video-from-queue",
            .flag,
            meaning: "A queue player sends its video to an external screen over AirPlay."
        )
        package var sendsVideoFromQueue: Bool

        package init() {}
    }

    /// A policy that an app sets for items with video in the background.
    package enum PlaybackPolicy: String, FieldChoice {
        case automatic, pauses
        case continuesIfPossible = "continues-if-possible"

        package var meaning: String {
            switch self {
            case .automatic: "The platform decides."
            case .pauses: "Playback pauses."
            case .continuesIfPossible: "Playback continues if the platform allows it."
            }
        }
    }

    /// The effect of an interruption.
    package enum Interruption: String, FieldChoice {
        case pauses
        case ignored

        package var meaning: String {
            switch self {
            case .pauses: "Playback pauses. The app is notified when the interruption ends."
            case .ignored: "Playback continues."
            }
        }
    }

    /// The effect of the end of an interruption on an app that is suspended.
    package enum InterruptionEnd: String, FieldChoice {
        case delivered
        case withheld
        case seeded

        package var meaning: String {
            switch self {
            case .delivered: "The app runs again, and is notified. If it does not play, it is suspended again."
            case .withheld: "The app stays suspended, and is notified when it runs again for another reason."
            case .seeded: "Either, depending on the seed."
            }
        }
    }

    /// The items that a platform pauses.
    package enum Pausing: String, FieldChoice {
        case nothing
        case enabledVideo = "items-with-enabled-video"
        case anyVideo = "items-with-video"
        case everything

        package var meaning: String {
            switch self {
            case .nothing: "No items."
            case .enabledVideo: "Items with a video track that is enabled."
            case .anyVideo: "Items with a video track, enabled or not."
            case .everything: "All items."
            }
        }
    }

    /// The value of `rate` after a pause by the platform.
    package enum RateAfterPause: String, FieldChoice {
        case kept
        case zero

        package var meaning: String {
            switch self {
            case .kept: "The value before the pause."
            case .zero: "0."
            }
        }
    }

    /// The response of the media service to a request to play.
    package enum Verdict: String, FieldChoice {
        case allowed
        case ignored
        case rejected
        case stops

        package var meaning: String {
            switch self {
            case .allowed: "The item plays."
            case .ignored: "The item stays paused, without an error."
            case .rejected: "The item fails."
            case .stops: "The item plays for `video-stops-after`, and is paused again."
            }
        }
    }

    /// The last moment at which detaching the video layer helps.
    package enum LayerHelp: String, FieldChoice {
        case never
        case untilSuspend = "until-suspend"
        case always

        package var meaning: String {
            switch self {
            case .never: "Detaching never helps."
            case .untilSuspend: "Detaching helps until the platform suspends media (`lifecycle.suspends-media-after`)."
            case .always: "Detaching always helps."
            }
        }
    }
}
