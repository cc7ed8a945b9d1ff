package import SegueBase
internal import SegueEvents
internal import SegueFetch

// Size: one loop in which player, platform, and app react to each other at one instant, and the queries about it.
/// A player with its platform and its app, as one pure state machine.
///
/// Inputs go in with the present time, which never goes back. Effects come out.
package struct PlaybackSession: Sendable {
    /// True if the app policy cannot run on the platform, so that nothing plays.
    package let isUnavailable: Bool

    var renditions: RenditionPlayer

    /// The app's stays in the background, oldest first.
    package internal(set) var stays: [BackgroundStay] = []

    /// The instant of the user's first play command.
    package internal(set) var firstWish: Instant?

    var device: Device

    /// The app; nil without a policy.
    var app: RunningApp?

    /// The app's properties that the platform uses; nil without an app.
    let traits: AppTraits?

    /// The notices that an app outside of the session receives when it resumes; nil without one.
    var newsForOutside: [AppNews]?

    /// True if every item has played to its end or has left the queue.
    private(set) var hasPlayedAll = false

    private(set) var traffic = SessionTraffic()

    /// The number of effects of the current step that were examined for events that the app's rules count.
    var countedEffects = 0

    private var timer = SessionTimer()

    /// The source of randomness for behavior that the platform leaves open.
    var random: SeededRandom
    /// Decides whether a suspended app is notified of the end of an interruption.
    ///
    /// It is separate from ``random``, so that an app and its controller get the same notifications.
    var interruptionEnds: SeededRandom

    /// A session in the foreground with an empty queue.
    package init(platform: PlatformProfile, app: AppProfile? = nil, seed: UInt64 = 1) {
        self.init(platform, traits: app?.traits, app: app, seed: seed)
        self.app = app.map(RunningApp.init)
    }

    /// A session for an app outside of it, which receives the notices.
    package init(platform: PlatformProfile, outside app: AppTraits, seed: UInt64) {
        self.init(platform, traits: app, app: nil, seed: seed)
        newsForOutside = []
    }

    private init(_ platform: PlatformProfile, traits: AppTraits?, app: AppProfile?, seed: UInt64) {
        self.traits = traits
        random = SeededRandom(seed: seed)
        interruptionEnds = SeededRandom(seed: seed)
        let player = QueuePlayer(profile: platform, session: "segue-\(seed)")
        renditions = RenditionPlayer(player, app: app, isMoviePlayer: traits?.player == .moviePlayer, seed: seed)
        device = Device(platform, traits ?? AppTraits(), seed: seed)
        isUnavailable = traits.map { !platform.players.contains($0.player) } ?? false
    }

    package var player: QueuePlayer { renditions.player }

    // MARK: Input

    /// Handles an input, and does everything that is due.
    package mutating func handle(_ input: SessionInput, at now: Instant) -> [SessionEffect] {
        switch input {
        case .fetch(let event):
            if let news = traffic.receive(event, at: now) { log(news) }
            if !renditions.player.handle(event, at: now), !countEvents(at: now) { return drainEffects(at: now) }
        case .timer(let token):
            guard timer.goesOff(token) else { return drainEffects(at: now) }
        case .command(let command):
            // Whatever was due comes before the command.
            settle(at: now)
            carryOut(command, at: now)
        }
        settle(at: now)
        react(at: now)
        let next = nextChange(at: now)
        // Everything due has been done.
        assert(next.map { $0 > now } ?? true, "due work was left: \(stateDescription(at: now))")
        let look = nextLook(at: now, before: next)
        timer.plan([next, look].compactMap { $0 }.min(), at: now, &renditions.player.context.effects)
        return drainEffects(at: now)
    }

    /// Flushes data that were held back for more, at the end of a run.
    package mutating func handOn(at now: Instant) -> [SessionEffect] {
        renditions.player.handOn(at: now)
        return drainEffects(at: now)
    }

    private mutating func drainEffects(at now: Instant) -> [SessionEffect] {
        countEvents(at: now)
        countedEffects = 0
        var effects: [SessionEffect] = []
        for effect in renditions.player.context.effects {
            switch effect {
            case .fetch(let request): traffic.begin(request.id, at: now)
            case .cancel(let id): effects.append(.log(traffic.cancel(id)))
            case .read, .stopReading, .timer, .cancelTimer, .log, .told, .delivered: break
            }
            effects.append(effect)
        }
        renditions.player.context.effects = []
        return effects
    }

    mutating func log(_ kind: EventKind) { renditions.player.context.log(kind) }

    // MARK: Due work

    mutating func settle(at now: Instant) {
        var isChanging = true
        while isChanging {
            isChanging = false
            renditions.player.settle(at: now)
            for request in renditions.player.drive.gate.requests { device.request(request, at: now) }
            if !renditions.player.drive.gate.requests.isEmpty { isChanging = true }
            renditions.player.drive.gate.requests = []
            if followAudioSession(at: now) { isChanging = true }
            if let decision = decide(at: now) {
                apply(decision, at: now)
                isChanging = true
            }
            if renditions.player.rate > 0 { device.lifecycle.notePlayback() }
            let (lastHeard, isHeard) = (
                renditions.player.trail.lastAudioTime(at: now), renditions.player.trail.isPlayingAudio
            )
            if let step = device.lifecycle.step(at: now, lastHeard: lastHeard, isHeard: isHeard) {
                apply(step, at: now)
                isChanging = true
            }
            if followFrames(at: now) { isChanging = true }
            announceMediaTypes()
            if !isChanging { renditions.player.settle(at: now, isServiceAsked: true) }
            let notices = drainNotices()
            for notice in notices { note(notice, at: now) }
            if !notices.isEmpty { isChanging = true }
        }
    }

    private mutating func decide(at now: Instant) -> MediaService.Decision? {
        var beliefs: [EventKind] = []
        let queue = renditions.player.queue
        let decision = device.decide(
            about: MediaService.Items(
                current: queue.items.first?.id,
                wanted: renditions.player.wanted,
                played: renditions.player.drive.gate.item
            ),
            at: now,
            tracks: { queue.item($0)?.shownTracks(countingDisabled: true) },
            log: { beliefs.append($0) }
        )
        for belief in beliefs { log(belief) }
        return decision
    }

    private mutating func apply(_ decision: MediaService.Decision, at now: Instant) {
        switch decision {
        case .allow(let item, let from): renditions.player.allow(item, from: from, at: now)
        case .ignore(let item, let reason):
            log(.platformPaused(item: item.description, reason: reason))
            renditions.player.holdByPlatform(reason: "platform", at: now)
        case .reject(let item, let reason):
            log(.platformRejected(item: item.description, reason: reason))
            renditions.player.reject(item, reason: reason, at: now)
        }
    }

    /// Returns the pending notices, in the order that the platform gives them.
    private mutating func drainNotices() -> [PlayerNotice] {
        let notices = renditions.player.context.notices
        renditions.player.context.notices = []
        guard device.platform.playback.noticeOrder == .seeded, notices.count > 1 else { return notices }
        return NoticeOrder.shuffled(notices, using: &random)
    }

    /// Handles a change of the player, and notifies the app.
    private mutating func note(_ notice: PlayerNotice, at now: Instant) {
        switch notice {
        case .itemFailed(let item): changeStay { $0.note(failureOf: item) }
        case .currentItem(nil):
            hasPlayedAll = true
            let wasPlayed = renditions.player.removed.last { $0.companion == nil }?.isAtEnd ?? false
            changeStay { $0.noteEnd(wasPlayed: wasPlayed) }
        case .currentItem: hasPlayedAll = false
        case .itemPlayedToEnd(let item):
            renditions.slideTarget = nil
            renditions.removeFollowers(of: item, at: now)
        case .itemReady: renditions.followSlide(at: now)
        case .seekEnded(_, isFinished: true): renditions.slideTarget = nil
        case .itemShowsFailure, .itemFailedToPlayToEnd, .itemStalled, .itemTimeJumped, .seekEnded, .timeControl: break
        }
        notifyApp(.notice(notice), at: now)
    }

    /// Changes the last stay in the background, if there was one.
    mutating func changeStay(_ change: (inout BackgroundStay) -> Void) {
        if let last = stays.indices.last { change(&stays[last]) }
    }

    /// The instant of the next change without new input; nil if there is none.
    package func nextChange(at now: Instant) -> Instant? {
        [renditions.player.nextChange(at: now), device.nextChange(renditions.player.trail, at: now)].compactMap { $0 }
            .min()
    }
}
