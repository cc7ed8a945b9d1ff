extension AppProfile {
    /// A condition under which the app acts in didEnterBackground.
    package enum Condition: String, FieldChoice {
        case never
        case ifRate = "if-rate"
        case ifWasPlaying = "if-was-playing"

        package var meaning: String {
            switch self {
            case .never: "Never."
            case .ifRate: "When `rate` is not 0."
            case .ifWasPlaying: "When the app was playing in willResignActive."
            }
        }
    }

    /// The handling of an item without video.
    package enum AudioOnly: String, FieldChoice {
        case switches = "switch"
        case leaves = "leave"
        case resumes = "resume"

        package var meaning: String {
            switch self {
            case .switches: "The app switches, as for an item with video."
            case .leaves: "The app does nothing."
            case .resumes: "The app resumes the item in place."
            }
        }
    }

    /// The moment at which the app calls `play`.
    package enum PlayTime: String, FieldChoice {
        case atOnce = "at-once"
        case whenReady = "when-ready"

        package var meaning: String {
            switch self {
            case .atOnce: "Immediately."
            case .whenReady: "When the item is ready."
            }
        }
    }

    /// The handling of the video layer.
    package enum Layer: String, FieldChoice {
        case keeps = "keep"
        case detaches = "detach"
        case detachesLate = "detach-late"
        case none

        package var meaning: String {
            switch self {
            case .keeps: "The layer stays attached."
            case .detaches: "The app detaches it in willResignActive, and attaches it in didBecomeActive."
            case .detachesLate: "The app detaches it in didEnterBackground, and attaches it in didBecomeActive."
            case .none: "The app has no layer."
            }
        }
    }

    /// The background task that the app holds.
    package enum TaskHold: String, FieldChoice {
        case none
        case untilReady = "until-ready"
        case untilAudible = "until-audible"

        package var meaning: String {
            switch self {
            case .none: "No task."
            case .untilReady: "A task from the switch until the new item is ready or has failed."
            case .untilAudible: "A task from the switch until the new item's time advances, or the item has failed."
            }
        }
    }

    /// The playlist of an item that the app opens.
    package enum Stream: String, FieldChoice {
        case single
        case multivariant

        package var meaning: String {
            switch self {
            case .single: "The media playlist with everything in one rendition."
            case .multivariant: "The multivariant playlist."
            }
        }
    }

    /// The handling of the video of a multivariant stream.
    package enum Video: String, FieldChoice {
        case keeps = "keep"
        case drops = "drop"

        package var meaning: String {
            switch self {
            case .keeps: "The video stays selected."
            case .drops: "The app deselects it in willResignActive, and selects it in didBecomeActive."
            }
        }
    }

    /// The position at which an item starts after a switch.
    package enum Start: String, FieldChoice {
        case exact
        case segment

        package var meaning: String {
            switch self {
            case .exact: "Exactly the position of the previous item."
            case .segment: "The start of the segment that contains that position."
            }
        }
    }

    /// The media that the app loads ahead of a switch.
    package enum Preload: String, FieldChoice {
        case nothing
        case nextRendition = "next-rendition"

        package var meaning: String {
            switch self {
            case .nothing: "None."
            case .nextRendition:
                """
                The other rendition at the playhead, when playback is likely to keep up. On return to the \
                foreground, audio continues until the full rendition is loaded.
                """
            }
        }
    }

    /// The handling of the items behind the one that is switched.
    package enum RestOfQueue: String, FieldChoice {
        case keeps = "keep"
        case switches = "switch"

        package var meaning: String {
            switch self {
            case .keeps: "They stay as they are."
            case .switches: "They are switched as well."
            }
        }
    }

    /// The moment at which the app recreates an item that the platform rejected.
    package enum Recovery: String, FieldChoice {
        case onReturn = "on-return"
        case atOnce = "at-once"

        package var meaning: String {
            switch self {
            case .onReturn: "On return to the foreground."
            case .atOnce: "Immediately, to play when it is ready, at most three times per stay in the background."
            }
        }
    }

    /// The reaction to the end of a disturbance.
    package enum Recovering: String, FieldChoice {
        case nothing
        case goesOn = "go-on"

        package var meaning: String {
            switch self {
            case .nothing: "None."
            case .goesOn: "Playback resumes if it was playing."
            }
        }
    }
}
