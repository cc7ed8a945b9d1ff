/// What one version of one platform does to a player: data, read from a file under `Harness/platforms`.
///
/// Every field says in the file where it is known from; ``sources`` keeps that, under the field's full key.
package struct PlatformProfile: Sendable, Equatable {
    /// The name that options and reports use, such as `ios-4.3`.
    package let name: String

    /// The name for people.
    package let title: String

    /// The kinds of player that apps can make.
    package let players: [PlayerKind]

    /// When the phases of leaving and coming back happen.
    package let lifecycle: Lifecycle

    /// What becomes of playback while the app is in the background.
    package let background: Background

    /// The media service, which carries out what players ask for.
    package let service: Service

    /// How items load.
    package let loading: Loading

    /// How players behave where versions differ or nothing is documented.
    package let playback: Playback

    /// Where each field's value is known from, by full key such as `service.latency`.
    package let sources: [String: String]

    /// The kinds of player that a platform offers.
    package enum PlayerKind: String, Sendable, CaseIterable {
        /// `MPMoviePlayerController`: one item, no queue.
        case moviePlayer = "movie-player"
        /// `AVQueuePlayer`.
        case queuePlayer = "queue-player"
    }

    /// When the phases of leaving and coming back happen.
    package struct Lifecycle: Sendable, Equatable {
        /// From willResignActive to the platform's own suspend of media; before didEnterBackground or after it.
        package let suspendsMediaAfter: Duration
        /// From willResignActive to didEnterBackground.
        package let entersBackgroundAfter: Duration
        /// From willEnterForeground to didBecomeActive.
        package let becomesActiveAfter: Duration
        /// Whether apps go on running when they are left; else leaving one ends it.
        package let runsInBackground: Bool
        /// How long an app without audible media runs in the background until it is suspended; nil for ever.
        package let suspendsAppAfter: Duration?
        /// How long an app with audible media runs there that holds no foreground service; nil for ever.
        package let suspendsWithoutServiceAfter: Duration?
        /// How long a background task keeps an app running; nil for ever.
        package let backgroundTaskLimit: Duration?
    }

    /// The media service, which carries out what players ask for.
    package struct Service: Sendable, Equatable {
        /// From a request to play another item until the service looks at it; until then it believes the former
        /// item's tracks.
        package let latency: Duration
        /// From letting another item play to its first sound.
        package let outputLatency: Duration
        /// What it does when it looks at an item whose tracks are not known yet.
        package let unknownTracks: UnknownTracks
        /// Whether a movie player fails that is made as soon as another one was torn down.
        package let remakingFails: Bool
    }

    /// What the service goes by when it looks at an item whose tracks are not known yet.
    package enum UnknownTracks: String, Sendable, CaseIterable {
        /// It looks again when they are.
        case wait
        /// It goes by the former item's tracks.
        case believeFormer = "believe-former"
    }

    /// How players behave where versions differ or nothing is documented.
    package struct Playback: Sendable, Equatable {
        /// Whether a new player waits to minimise stalls.
        package let waitsToMinimizeStalls: Bool
        /// What happens to a current item that fails.
        package let failedItem: FailedItem
        /// What a seek of an item that is not ready does.
        package let seekBeforeReady: SeekBeforeReady
        /// The order in which an app is told of changes that happen together.
        package let noticeOrder: NoticeOrder
        /// What the action `none` at the end of an item does.
        package let endWithoutAction: EndWithoutAction
        /// Whether `play` takes the rate that the app set as the default one; else it is 1.
        package let playsAtDefaultRate: Bool
        /// How much must be buffered to go on after a stall, however fast media load; zero for no more than at the start.
        package let resumesWith: Duration
        /// How much that is once an item has stalled often.
        package let resumesWithLater: Duration
        /// After how many stalls of an item that is; nil for never.
        package let laterAfterStalls: Int?
        /// Whether an item shows as failed after a request that failed and will be repeated.
        package let showsPassingFailure: Bool
        /// Where an item without an end goes on after an interruption.
        package let liveAfterInterruption: LiveReturn
        /// What an item without an end does that is further behind its live edge than wanted.
        package let liveCatchUp: LiveCatchUp
        /// How far behind where it is wanted such an item may be before it jumps there.
        package let liveLag: Duration
        /// What becomes of an item whose media have left its live playlist before they were played.
        package let behindWindow: BehindWindow
    }

    /// What the action `none` at the end of an item does.
    package enum EndWithoutAction: String, Sendable, CaseIterable {
        /// The playhead stays at the end and the rate becomes 0.
        case pauses
        /// The playhead stays at the end and the rate is kept.
        case runsOn = "runs-on"
    }

    /// Where an item without an end goes on.
    package enum LiveReturn: String, Sendable, CaseIterable {
        /// Where it was left, when that is still there.
        case stays
        /// As near the end as when it began.
        case jumps = "jumps-to-live"
    }

    /// What an item without an end does that is further behind its live edge than wanted.
    package enum LiveCatchUp: String, Sendable, CaseIterable {
        /// It stays so far behind.
        case none
        /// It goes on where it is wanted, once it is too far behind.
        case jumps
        /// It is played a little faster, and a little slower where it is nearer than wanted.
        case speedsUp = "speeds-up"
    }

    /// What becomes of an item whose media have left its live playlist before they were played.
    package enum BehindWindow: String, Sendable, CaseIterable {
        /// It goes on where one joins.
        case goesOn = "goes-on"
        /// It fails, once what is buffered has been played.
        case fails
    }

    /// What happens to a current item that fails.
    package enum FailedItem: String, Sendable, CaseIterable {
        /// It stays current.
        case kept
        /// It leaves the queue, and the next one starts.
        case consumed
    }

    /// What a seek of an item that is not ready does.
    package enum SeekBeforeReady: String, Sendable, CaseIterable {
        /// It ends at once, not finished.
        case refused
        /// It is carried out once the item is ready.
        case deferred
        /// It is the app's mistake: an exception, which the app does not catch.
        case exception
    }

    /// The order in which an app is told of changes that happen together.
    package enum NoticeOrder: String, Sendable, CaseIterable {
        /// The order in which they happened.
        case asHappened = "as-happened"
        /// An order that the seed decides.
        case seeded
    }
}
