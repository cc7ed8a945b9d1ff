internal import SegueBase

/// What an app does about the background: told of the phases of its life and of its items, it says what to do.
struct AppPolicy: Sendable {
    /// What the app does.
    enum Action: Sendable, Equatable {
        case note(String)
        case decide(String, because: String)
        case detachLayer
        case attachLayer
        /// Lets go of the video rendition of the current item, or takes it up again.
        case setVideoWanted(Bool)
        case pause
        case play
        /// Makes an item of the other rendition at the present position; inserts it after the current one and advances
        /// to it. One that is loaded ahead already is taken.
        case replace(ItemRendition)
        /// Loads an item of the other rendition at the playhead of the current one.
        case preload(ItemRendition)
        /// Makes the current item again, of the rendition that it was made as, where it was.
        case remake
        /// Makes every failed item behind the current one again.
        case remakeRest
        case beginTask
        case endTask
    }

    /// What the app can read off its player.
    struct Facts: Sendable {
        var rate: Double
        var isPaused: Bool
        /// The current item; nil without one.
        var item: ItemID?
        /// The current item's tracks; nil while they are not known.
        var tracks: ItemTracks?
        var isFailed: Bool
        /// Whether there is another rendition of the current item.
        var hasBackgroundRendition: Bool
        /// Whether the item that is loaded ahead, when there is one, is ready to play; it will not be told of again.
        var isPreloadedReady: Bool
    }

    /// How often a rejected item is made again in one stay in the background.
    private static let mostRecoveries = 3

    private let profile: AppProfile
    private var wasPlaying = false
    /// Whether the user wishes to hear something.
    private var wishes = false
    private var isAway = false
    private var isReplaced = false
    private var isAwaitingReady = false
    private var isReturning = false
    private var holdsTask = false
    private var recoveries = 0

    init(profile: AppProfile) { self.profile = profile }

    /// Takes in a phase of the app's life.
    mutating func handle(_ step: Lifecycle.Step, _ facts: Facts) -> [Action] {
        switch step {
        case .willResignActive: return leave(facts)
        case .didEnterBackground:
            return (profile.layer == .detachesLate ? [.detachLayer] : []) + enterBackground(facts)
        case .didBecomeActive:
            isAway = false
            return ([.detaches, .detachesLate].contains(profile.layer) ? [.attachLayer] : [])
                + (profile.video == .drops ? [.setVideoWanted(true)] : []) + comeBack(facts)
        case .backgroundTaskExpired:
            holdsTask = false
            return []
        case .interruptionEndedShouldResume:
            guard profile.afterInterruption == .goesOn, wishes, facts.item != nil, !facts.isFailed else { return [] }
            return [.decide("go on", because: "the interruption is over and it was playing"), .play]
        case .mediaServicesReset:
            guard profile.afterReset == .goesOn, facts.item != nil else { return [] }
            isAwaitingReady = wishes
            let remake: Action = isReturning ? .replace(.full) : .remake
            isReturning = false
            return [.decide("make the item again", because: "the media services were reset"), remake, .remakeRest]
        case .mediaSuspended, .suspended, .resumed, .willEnterForeground, .locked, .unlocked, .terminated,
            .interruptionBegan, .interruptionEnded, .routeChanged:
            return []
        }
    }

    /// Takes in that the current item is ready, or has failed.
    mutating func handleOutcome(isReady: Bool, isRejected: Bool = false, _ facts: Facts) -> [Action] {
        if !isReady, isRejected, isAway, profile.recovers == .atOnce, facts.hasBackgroundRendition, wishes,
            recoveries < AppPolicy.mostRecoveries
        {
            recoveries += 1
            isReplaced = true
            return [.decide("make the item again", because: "the platform rejected it")] + replaceAnew(.background)
        }
        var actions: [Action] = []
        if isAwaitingReady {
            isAwaitingReady = false
            if isReady { actions += [.decide("play", because: "the item is ready"), .play] }
        }
        actions += endTask()
        if isReady { actions += preload(.background, facts) }
        return actions
    }

    /// Takes in that the item that is loaded ahead is ready.
    mutating func handlePreloaded() -> [Action] {
        isReturning ? finishReturning() : []
    }

    private mutating func finishReturning() -> [Action] {
        isReturning = false
        return [
            .decide("switch to the full rendition", because: "it is loaded"), .replace(.full), .preload(.background),
        ]
    }

    /// A rule of the app's own wants another rendition.
    mutating func goOver(to rendition: ItemRendition, _ facts: Facts) -> [Action] {
        // What it switches to while it is away is switched back when it returns, whatever the reason was.
        isReplaced = isAway && rendition == .background
        isReturning = false
        return replace(rendition, plays: facts.rate != 0 || isAwaitingReady, facts)
    }

    /// The user played or paused, which the app's own wishes give way to.
    mutating func userSet(isPlaying: Bool) {
        wishes = isPlaying
        wasPlaying = isPlaying
        isAwaitingReady = false
    }

    // MARK: Leaving

    private mutating func leave(_ facts: Facts) -> [Action] {
        isAway = true
        // Gone again before it was all the way back.
        if isReturning { isReplaced = true }
        isReturning = false
        recoveries = 0
        wasPlaying = facts.rate != 0 || isAwaitingReady
        return [.note(wasPlaying ? "was playing" : "was not playing")]
            + (profile.layer == .detaches ? [.detachLayer] : [])
            + (profile.video == .drops ? [.setVideoWanted(false)] : [])
    }

    private mutating func enterBackground(_ facts: Facts) -> [Action] {
        guard facts.item != nil, !facts.isFailed else {
            return [.decide("nothing", because: "there is no item to play")]
        }
        let isAudioOnly = facts.tracks.map { !$0.hasVideo } ?? false
        if holds(profile.switches, facts) {
            guard !isAudioOnly || profile.audioOnly == .switches else {
                guard profile.audioOnly == .resumes else {
                    return [.decide("nothing", because: "the item has no video")]
                }
                return [.decide("resume in place", because: "the item has no video and was playing"), .play]
            }
            guard facts.hasBackgroundRendition else {
                return [.decide("nothing", because: "there is no background rendition")]
            }
            isReplaced = true
            var actions: [Action] = [.decide("switch to the background rendition", because: reason(profile.switches))]
            if profile.backgroundTask == .untilReady, !facts.isPreloadedReady {
                holdsTask = true
                actions.append(.beginTask)
            }
            return actions + replace(.background, plays: true, facts)
        }
        if holds(profile.resumes, facts) {
            return [.decide("resume in place", because: reason(profile.resumes)), .play]
        }
        let isUp = profile.switches == .never && profile.resumes == .never
        return [.decide("nothing", because: isUp ? "the policy" : "it does not take itself to be playing")]
    }

    private func holds(_ condition: AppProfile.Condition, _ facts: Facts) -> Bool {
        switch condition {
        case .never: false
        case .ifRate: facts.rate != 0
        case .ifWasPlaying: wasPlaying
        }
    }

    private func reason(_ condition: AppProfile.Condition) -> String {
        condition == .ifRate ? "rate is not 0" : "it was playing when it resigned active"
    }

    // MARK: Coming back

    private mutating func comeBack(_ facts: Facts) -> [Action] {
        guard facts.item != nil else {
            isReplaced = false
            return endTask()
        }
        guard isReplaced else {
            guard wasPlaying, facts.isPaused, !facts.isFailed else { return endTask() }
            return endTask() + [.decide("resume in place", because: "it was playing when it resigned active"), .play]
        }
        isReplaced = false
        let plays = !facts.isFailed && (facts.rate != 0 || isAwaitingReady)
        if profile.preloads == .nextRendition, plays, !isAwaitingReady {
            guard !facts.isPreloadedReady else { return endTask() + finishReturning() }
            isReturning = true
            let reason = "it is back in the foreground; the sound goes on meanwhile"
            return endTask() + [.decide("load the full rendition", because: reason), .preload(.full)]
        }
        let decision = Action.decide(
            "switch to the full rendition",
            because: plays ? "it is back in the foreground and playing" : "it is back in the foreground"
        )
        return endTask() + [decision] + replace(.full, plays: plays, facts)
    }

    // MARK: Switching

    private mutating func replace(_ rendition: ItemRendition, plays: Bool, _ facts: Facts) -> [Action] {
        // An item that is ready already need not be waited for, even where its buffer is empty just then.
        guard profile.plays == .whenReady, !facts.isPreloadedReady else {
            isAwaitingReady = false
            return [.replace(rendition)] + (plays ? [.play] : [])
        }
        guard plays else {
            isAwaitingReady = false
            return [.pause, .replace(rendition)]
        }
        return replaceAnew(rendition)
    }

    /// Switches to an item that is to be played once it is ready.
    private mutating func replaceAnew(_ rendition: ItemRendition) -> [Action] {
        isAwaitingReady = true
        // The rate is kept over an advance, so an app that wants to wait has to pause first.
        return [.pause, .replace(rendition)]
    }

    private func preload(_ rendition: ItemRendition, _ facts: Facts) -> [Action] {
        guard profile.preloads == .nextRendition, !isAway, !isReplaced, facts.hasBackgroundRendition,
            facts.tracks?.hasVideo ?? false
        else { return [] }
        return [.preload(rendition)]
    }

    private mutating func endTask() -> [Action] {
        guard holdsTask else { return [] }
        holdsTask = false
        return [.endTask]
    }
}

/// A way to present an item.
package enum ItemRendition: String, Sendable {
    /// All of it.
    case full
    /// Its sound alone, for the background.
    case background
}
