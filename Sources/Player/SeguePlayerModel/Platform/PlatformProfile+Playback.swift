extension PlatformProfile {
    /// Player behavior that differs between versions or is not documented.
    // Size: one property for each field of the section.
    package final class Playback: FieldSection, @unchecked Sendable {
        // Sendable: its storage is the wrappers, which nothing replaces.
        @ProfileField(
            "waits-to-minimize-stalls",
            .flag,
            meaning: "A new player waits until playback is likely to continue without a stall."
        )
        package var waitsToMinimizeStalls: Bool

        @ProfileField("failed-item", .word, meaning: "The effect of a failure on the current item.")
        package var failedItem: FailedItem

        @ProfileField("seek-before-ready", .word, meaning: "The result of a seek in an item that is not ready to play.")
        package var seekBeforeReady: SeekBeforeReady

        @ProfileField(
            "early-seek-jumps",
            .integer(in: 0...100),
            meaning: """
                The percentage of new items that start at the start of the segment (`item.startMoved`) if a position was \
                sought in them, because their timeline was not known at that time. The seed chooses which.
                """
        )
        package var earlySeekJumps: Int

        @ProfileField(
            "restarts-after",
            .duration,
            meaning: """
                The time for which the playhead stays at the target of a seek from the end of an item before playback \
                can continue.
                """
        )
        package var restartsAfter: Duration

        @ProfileField("notice-order", .word, meaning: "The order in which an app is notified of simultaneous changes.")
        package var noticeOrder: NoticeOrder

        @ProfileField("end-without-action", .word, meaning: "The effect of the action `none` at the end of an item.")
        package var endWithoutAction: EndWithoutAction

        @ProfileField(
            "plays-at-default-rate",
            .flag,
            meaning: "`play` uses the default rate that the app has set. If `false`, `play` uses the rate 1."
        )
        package var playsAtDefaultRate: Bool

        @ProfileField(
            "resumes-with",
            .duration,
            meaning: """
                The minimum buffer to resume after a stall, however fast media load. With `0 s`, the rules for the start \
                of playback apply.
                """
        )
        package var resumesWith: Duration

        @ProfileField(
            "resumes-with-later",
            .duration,
            meaning: "The minimum buffer to resume after more than `later-after-stalls` stalls of the item."
        )
        package var resumesWithLater: Duration

        @ProfileField(
            "later-after-stalls",
            .integerOrNever,
            meaning: "The number of stalls of an item after which `resumes-with-later` applies."
        )
        package var laterAfterStalls: Int?

        @ProfileField(
            "shows-passing-failure",
            .flag,
            meaning: "The status of an item is failed while a failed request is waiting to be retried."
        )
        package var showsPassingFailure: Bool

        @ProfileField(
            "live-after-interruption",
            .word,
            meaning: "The position at which a live item continues after an interruption."
        )
        package var liveAfterInterruption: LiveReturn

        @ProfileField(
            "live-catch-up",
            .word,
            meaning: """
                The behavior of a live item that is further behind the live edge than its target, for example after a \
                stall or a pause.
                """
        )
        package var liveCatchUp: LiveCatchUp

        @ProfileField(
            "live-lag",
            .duration,
            meaning: """
                The distance behind the target position at which a live item jumps (`live-catch-up: jumps`). If it is \
                less than a segment, or a part where parts are played, the item jumps at each one.
                """
        )
        package var liveLag: Duration

        @ProfileField(
            "behind-live-window",
            .word,
            meaning: "The behavior of a live item whose media left the playlist before they were played."
        )
        package var behindWindow: BehindWindow

        @ProfileField(
            "disconnecting-layer",
            .word,
            meaning: "The effect of disconnecting the `AVPlayerLayer` of a queue player while its item plays."
        )
        package var disconnectingLayer: Disconnecting

        @ProfileField(
            "disabling-video",
            .word,
            meaning: "The time from which an app can enable and disable the video of an item."
        )
        package var disablingVideo: DisablingVideo

        package init() {}
    }

    /// The effect of the action `none` at the end of an item.
    package enum EndWithoutAction: String, FieldChoice {
        case pauses
        case runsOn = "runs-on"

        package var meaning: String {
            switch self {
            case .pauses: "The playhead stays at the end, and the rate becomes 0."
            case .runsOn: "The playhead stays at the end, and the rate does not change."
            }
        }
    }

    /// The position at which a live item continues.
    package enum LiveReturn: String, FieldChoice {
        case stays
        case jumps = "jumps-to-live"

        package var meaning: String {
            switch self {
            case .stays: "The position before the interruption, if its media are still available."
            case .jumps: "The same distance from the live edge as at the start of playback."
            }
        }
    }

    /// The behavior of a live item that is further behind the live edge than its target.
    package enum LiveCatchUp: String, FieldChoice {
        case none
        case jumps
        case speedsUp = "speeds-up"

        package var meaning: String {
            switch self {
            case .none: "The item stays behind."
            case .jumps: "The item jumps to the target position when it is further behind than `live-lag`."
            case .speedsUp:
                """
                The item plays up to 3 % faster, or slower if it is closer than the target. This requires a playlist \
                with a hold-back and dates.
                """
            }
        }
    }

    /// The behavior of a live item whose media left the playlist before they were played.
    package enum BehindWindow: String, FieldChoice {
        case goesOn = "goes-on"
        case fails

        package var meaning: String {
            switch self {
            case .goesOn: "The item continues at the position at which a new viewer joins."
            case .fails: "The item fails after the buffered media have been played."
            }
        }
    }

    /// The effect of disconnecting the layer of an item that plays.
    package enum Disconnecting: String, FieldChoice {
        case harmless
        case crashes

        package var meaning: String {
            switch self {
            case .harmless: "Audio continues."
            case .crashes: "The app crashes."
            }
        }
    }

    /// The time from which the video of an item can be enabled and disabled.
    package enum DisablingVideo: String, FieldChoice {
        case anyTime = "any-time"
        case whenReady = "when-ready"

        package var meaning: String {
            switch self {
            case .anyTime: "Any time."
            case .whenReady: "When the item is ready to play; before, the call has no effect (`item.trackUnchanged`)."
            }
        }
    }

    /// The effect of a failure on the current item.
    package enum FailedItem: String, FieldChoice {
        case kept
        case consumed

        package var meaning: String {
            switch self {
            case .kept: "The item stays current."
            case .consumed: "The item leaves the queue, and the next item starts."
            }
        }
    }

    /// The result of a seek in an item that is not ready to play.
    package enum SeekBeforeReady: String, FieldChoice {
        case refused
        case deferred
        case exception

        package var meaning: String {
            switch self {
            case .refused: "The seek ends immediately, unfinished."
            case .deferred: "The seek runs when the item is ready."
            case .exception: "The call raises an exception, which the app does not catch."
            }
        }
    }

    /// The order in which an app is notified of simultaneous changes.
    package enum NoticeOrder: String, FieldChoice {
        case asHappened = "as-happened"
        case seeded

        package var meaning: String {
            switch self {
            case .asHappened: "The order in which the changes happened."
            case .seeded: "An order that depends on the seed."
            }
        }
    }
}
