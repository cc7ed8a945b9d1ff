internal import SegueBase

/// The background behavior of an app: a state machine from lifecycle phases and item outcomes to actions.
struct AppPolicy: Sendable {
    enum Action: Sendable, Equatable {
        case note(String)
        case decide(String, because: String)
        case detachLayer
        case attachLayer
        /// Deselects the video rendition of the current item, or selects it again.
        case setVideoWanted(Bool)
        case pause
        case play
        /// Creates an item of the other rendition at the current position, inserts it after the current item, and
        /// advances to it. Uses the preloaded item if there is one.
        case replace(ItemRendition)
        /// Loads an item of the other rendition at the playhead of the current one.
        case preload(ItemRendition)
        /// Recreates the current item with the same rendition and position.
        case remake
        /// Recreates every failed item behind the current one.
        case remakeRest
        case beginTask
        case endTask
    }

    /// The state of the player that the app can read.
    struct Facts: Sendable {
        var rate: Double
        var isPaused: Bool
        /// The current item, if any.
        var item: ItemID?
        /// The current item's tracks; nil until they are known.
        var tracks: ItemTracks?
        var isFailed: Bool
        var hasBackgroundRendition: Bool
        /// True if a preloaded item exists and is ready to play.
        ///
        /// There is no further notice of it.
        var isPreloadedReady: Bool
    }

    /// The number of times that a rejected item is recreated in one stay in the background.
    private static let mostRecoveries = 3

    private let profile: AppProfile
    private var wasPlaying = false
    /// True if the user wants playback.
    private var wantsPlayback = false
    private var isAway = false
    private var isReplaced = false
    private var isAwaitingReady = false
    private var isReturning = false
    private var holdsTask = false
    private var recoveries = 0

    init(profile: AppProfile) { self.profile = profile }

    /// Handles a phase of the app's life.
    mutating func handle(_ step: Lifecycle.Step, _ facts: Facts) -> [Action] {
        switch step {
        case .willResignActive: return leave(facts)
        case .didEnterBackground:
            return (profile.layer == .detachesLate ? [.detachLayer] : []) + enterBackground(facts)
        case .didBecomeActive:
            isAway = false
            return ([.detaches, .detachesLate].contains(profile.layer) ? [.attachLayer] : [])
                + (profile.video == .drops ? [.setVideoWanted(true)] : []) + comeBack(facts)
        case .backgroundTaskExpired: return endTask()
        case .interruptionEndedShouldResume:
            guard profile.afterInterruption == .goesOn, wantsPlayback, facts.item != nil, !facts.isFailed else {
                return []
            }
            return [.decide("resume playback", because: "the interruption ended, and it was playing before"), .play]
        case .mediaServicesReset:
            guard profile.afterReset == .goesOn, facts.item != nil else { return [] }
            isAwaitingReady = wantsPlayback
            let remake: Action = isReturning ? .replace(.full) : .remake
            isReturning = false
            return [.decide("recreate the item", because: "the media services were reset"), remake, .remakeRest]
        case .mediaSuspended, .suspended, .resumed, .willEnterForeground, .locked, .unlocked, .terminated,
            .interruptionBegan, .interruptionEnded, .routeChanged:
            return []
        }
    }

    /// Handles the current item becoming ready, or failing.
    mutating func handleOutcome(isReady: Bool, isRejected: Bool = false, _ facts: Facts) -> [Action] {
        if !isReady, isRejected, isAway, profile.recovers == .atOnce, facts.hasBackgroundRendition, wantsPlayback,
            recoveries < AppPolicy.mostRecoveries
        {
            recoveries += 1
            isReplaced = true
            return [.decide("recreate the item", because: "the platform rejected it")] + replaceAnew(.background)
        }
        var actions: [Action] = []
        if isAwaitingReady {
            isAwaitingReady = false
            if isReady { actions += [.decide("play", because: "the item is ready"), .play] }
        }
        if !isReady || profile.backgroundTask != .untilAudible { actions += endTask() }
        if isReady { actions += preload(.background, facts) }
        return actions
    }

    /// Handles the time of the current item starting to advance.
    mutating func handlePlaying() -> [Action] { profile.backgroundTask == .untilAudible ? endTask() : [] }

    /// Handles the preloaded item becoming ready.
    mutating func handlePreloaded() -> [Action] {
        isReturning ? finishReturning() : []
    }

    private mutating func finishReturning() -> [Action] {
        isReturning = false
        return [
            .decide("switch to the full rendition", because: "it is loaded"), .replace(.full), .preload(.background),
        ]
    }

    /// Switches to another rendition for one of the app's own rules.
    mutating func switchRendition(to rendition: ItemRendition, _ facts: Facts) -> [Action] {
        // A switch made in the background is reverted on return, whatever its reason.
        isReplaced = isAway && rendition == .background
        isReturning = false
        return replace(rendition, plays: facts.rate != 0 || isAwaitingReady, facts)
    }

    /// Handles a play or pause by the user, which overrides the app's own intentions.
    mutating func userSet(isPlaying: Bool) {
        wantsPlayback = isPlaying
        wasPlaying = isPlaying
        isAwaitingReady = false
    }

    /// Handles the end of a play or pause command of the user.
    mutating func handleUserCommand() -> [Action] {
        profile.backgroundTask == .untilAudible && !wantsPlayback ? endTask() : []
    }

    // MARK: Leaving

    private mutating func leave(_ facts: Facts) -> [Action] {
        isAway = true
        // The app left again before the return was complete.
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
            if profile.backgroundTask != .none, !facts.isPreloadedReady {
                holdsTask = true
                actions.append(.beginTask)
            }
            return actions + replace(.background, plays: true, facts)
        }
        if holds(profile.resumes, facts) {
            return [.decide("resume in place", because: reason(profile.resumes)), .play]
        }
        let isUp = profile.switches == .never && profile.resumes == .never
        return [
            .decide(
                "nothing",
                because: isUp
                    ? "the policy does nothing in the background" : "it was not playing, as far as the app knows"
            )
        ]
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

    // MARK: Return

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
            let reason = "it is back in the foreground, and the audio continues until then"
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
        // A ready item needs no waiting, even if its buffer is empty at that moment.
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

    /// Switches to an item, and plays it when it is ready.
    private mutating func replaceAnew(_ rendition: ItemRendition) -> [Action] {
        isAwaitingReady = true
        // The rate survives an advance, so an app that wants to wait must pause first.
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

package enum ItemRendition: String, Sendable {
    case full
    /// Audio only, for the background.
    case background
}
