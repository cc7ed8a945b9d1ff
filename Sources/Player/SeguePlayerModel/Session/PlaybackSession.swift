package import SegueBase
internal import SegueEvents
internal import SegueFetch

/// A player with its platform and its app, as one pure state machine.
///
/// Inputs go in with the present time, which never goes back. Effects come out.
package struct PlaybackSession: Sendable {
    /// Whether the app policy cannot run on the platform, so that nothing plays.
    package let isUnavailable: Bool

    package internal(set) var player: QueuePlayer

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

    var sources = ItemSources()

    /// Whether every item has played to its end or has left the queue.
    private(set) var hasPlayedAll = false

    private(set) var traffic = SessionTraffic()

    /// The number of effects of the current step that were examined for events that the app's rules count.
    var countedEffects = 0

    private var timer = SessionTimer()

    /// The source of randomness for behavior that the platform leaves open.
    private var random: SeededRandom

    /// A session in the foreground with an empty queue.
    package init(platform: PlatformProfile, app: AppProfile? = nil, seed: UInt64 = 1) {
        self.init(platform, app?.traits, seed)
        self.app = app.map(RunningApp.init)
    }

    /// A session for an app outside of it, which receives the notices.
    package init(platform: PlatformProfile, outside app: AppTraits, seed: UInt64) {
        self.init(platform, app, seed)
        newsForOutside = []
    }

    private init(_ platform: PlatformProfile, _ traits: AppTraits?, _ seed: UInt64) {
        self.traits = traits
        random = SeededRandom(seed: seed)
        player = QueuePlayer(profile: platform, session: "segue-\(seed)")
        device = Device(platform, traits ?? AppTraits())
        isUnavailable = traits.map { !platform.players.contains($0.player) } ?? false
    }

    // MARK: Input

    /// Handles an input, and does everything that is due.
    package mutating func handle(_ input: SessionInput, at now: Instant) -> [SessionEffect] {
        switch input {
        case .fetch(let event):
            if let news = traffic.receive(event, at: now) { log(news) }
            if !player.handle(event, at: now), !countEvents(at: now) { return drainEffects(at: now) }
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
        assert(next.map { $0 > now } ?? true, "nothing was done about something: \(stateDescription(at: now))")
        let look = nextLook(at: now, before: next)
        timer.plan([next, look].compactMap { $0 }.min(), at: now, &player.context.effects)
        return drainEffects(at: now)
    }

    /// Flushes data that were held back for more, at the end of a run.
    package mutating func handOn(at now: Instant) -> [SessionEffect] {
        player.handOn(at: now)
        return drainEffects(at: now)
    }

    private mutating func drainEffects(at now: Instant) -> [SessionEffect] {
        countEvents(at: now)
        countedEffects = 0
        var effects: [SessionEffect] = []
        for effect in player.context.effects {
            switch effect {
            case .fetch(let request): traffic.begin(request.id, at: now)
            case .cancel(let id): effects.append(.log(traffic.cancel(id)))
            case .read, .stopReading, .timer, .cancelTimer, .log, .told, .delivered: break
            }
            effects.append(effect)
        }
        player.context.effects = []
        return effects
    }

    mutating func log(_ kind: EventKind) { player.context.log(kind) }

    mutating func call(_ name: String) {
        log(.playerCommand(name: name, item: player.current?.id.description ?? ""))
    }

    // MARK: What is due

    mutating func settle(at now: Instant) {
        var isChanging = true
        while isChanging {
            isChanging = false
            player.settle(at: now)
            for request in player.drive.gate.requests { device.request(request, at: now) }
            if !player.drive.gate.requests.isEmpty { isChanging = true }
            player.drive.gate.requests = []
            if let decision = decide(at: now) {
                apply(decision, at: now)
                isChanging = true
            }
            let (lastHeard, isHeard) = (player.trail.lastSounding(at: now), player.trail.isSounding)
            if let step = device.lifecycle.step(at: now, lastHeard: lastHeard, isHeard: isHeard) {
                apply(step, at: now)
                isChanging = true
            }
            if !isChanging { player.settle(at: now, isServiceAsked: true) }
            let notices = drainNotices()
            for notice in notices { note(notice, at: now) }
            if !notices.isEmpty { isChanging = true }
        }
    }

    private mutating func decide(at now: Instant) -> MediaService.Decision? {
        var beliefs: [EventKind] = []
        let queue = player.queue
        let decision = device.decide(
            at: now,
            wanted: player.wanted,
            played: player.drive.gate.item,
            tracks: { queue.item($0)?.shownTracks(countingDisabled: true) },
            log: { beliefs.append($0) }
        )
        for belief in beliefs { log(belief) }
        return decision
    }

    private mutating func apply(_ decision: MediaService.Decision, at now: Instant) {
        switch decision {
        case .allow(let item, let from): player.allow(item, from: from, at: now)
        case .ignore(let item, let reason):
            log(.platformPaused(item: item.description, reason: reason))
            player.holdByPlatform(reason: "platform", at: now)
        case .reject(let item, let reason):
            log(.platformRejected(item: item.description, reason: reason))
            player.reject(item, reason: reason, at: now)
        }
    }

    /// Returns the pending notices, in the order that the platform gives them.
    private mutating func drainNotices() -> [PlayerNotice] {
        let notices = player.context.notices
        player.context.notices = []
        guard device.platform.playback.noticeOrder == .seeded, notices.count > 1 else { return notices }
        return NoticeOrder.shuffled(notices, using: &random)
    }

    /// Handles a change of the player, and notifies the app.
    private mutating func note(_ notice: PlayerNotice, at now: Instant) {
        switch notice {
        case .itemFailed(let item): changeStay { $0.note(failureOf: item) }
        case .currentItem(nil):
            hasPlayedAll = true
            let wasPlayed = player.removed.last { $0.companion == nil }?.isAtEnd ?? false
            changeStay { $0.noteEnd(wasPlayed: wasPlayed) }
        case .currentItem: hasPlayedAll = false
        case .itemPlayedToEnd(let item): removeFollowers(of: item, at: now)
        case .itemReady, .itemShowsFailure, .itemFailedToPlayToEnd, .itemStalled, .itemTimeJumped, .seekEnded,
            .timeControl:
            break
        }
        notifyApp(.notice(notice), at: now)
    }

    /// Changes the last stay in the background, if there was one.
    mutating func changeStay(_ change: (inout BackgroundStay) -> Void) {
        if let last = stays.indices.last { change(&stays[last]) }
    }

    /// The instant of the next change without new input; nil if there is none.
    package func nextChange(at now: Instant) -> Instant? {
        [player.nextChange(at: now), device.nextChange(player.trail, at: now)].compactMap { $0 }.min()
    }
}
