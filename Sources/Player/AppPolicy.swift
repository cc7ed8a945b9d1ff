internal import Timeline

/// What an app does about the background: told of the phases of its life and of its items, it says what to do.
struct AppPolicy: Sendable {
    /// What the app does.
    enum Action: Sendable, Equatable {
        case note(String)
        case decide(String, because: String)
        case detachLayer
        case attachLayer
        case pause
        case play
        /// Makes an item of the other rendition at the present position, exactly; inserts it after the current one and
        /// advances to it.
        case replace(ItemRendition)
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
    }

    private let profile: AppProfile
    private var wasPlaying = false
    private var isReplaced = false
    private var isAwaitingReady = false
    private var holdsTask = false

    init(profile: AppProfile) { self.profile = profile }

    /// Takes in a phase of the app's life.
    mutating func handle(_ step: Lifecycle.Step, _ facts: Facts) -> [Action] {
        switch step {
        case .willResignActive:
            wasPlaying = facts.rate != 0 || isAwaitingReady
            let note: [Action] = [.note(wasPlaying ? "was playing" : "was not playing")]
            return note + (profile.layer == .detaches ? [.detachLayer] : [])
        case .didEnterBackground: return enterBackground(facts)
        case .didBecomeActive: return (profile.layer == .detaches ? [.attachLayer] : []) + comeBack(facts)
        case .backgroundTaskExpired:
            holdsTask = false
            return []
        case .mediaSuspended, .suspended, .resumed, .willEnterForeground: return []
        }
    }

    /// Takes in that the current item is ready, or has failed.
    mutating func handleOutcome(isReady: Bool) -> [Action] {
        var actions: [Action] = []
        if isAwaitingReady {
            isAwaitingReady = false
            if isReady { actions += [.decide("play", because: "the item is ready"), .play] }
        }
        return actions + endTask()
    }

    /// The user played or paused, which the app's own wishes give way to.
    mutating func userSet(isPlaying: Bool) {
        wasPlaying = isPlaying
        isAwaitingReady = false
    }

    // MARK: Leaving

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
            if profile.backgroundTask == .untilReady {
                holdsTask = true
                actions.append(.beginTask)
            }
            return actions + replace(.background, plays: true)
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
        let decision = Action.decide(
            "switch to the full rendition",
            because: plays ? "it is back in the foreground and playing" : "it is back in the foreground"
        )
        return endTask() + [decision] + replace(.full, plays: plays)
    }

    private mutating func replace(_ rendition: ItemRendition, plays: Bool) -> [Action] {
        isAwaitingReady = plays && profile.plays == .whenReady
        switch profile.plays {
        case .atOnce: return [.replace(rendition)] + (plays ? [.play] : [])
        // The rate is kept over an advance, so an app that wants to wait has to pause first.
        case .whenReady: return [.pause, .replace(rendition)]
        }
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
