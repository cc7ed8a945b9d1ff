package import Fetch
package import Timeline

/// Where an item's renditions are.
package struct ItemAddress: Sendable, Equatable {
    /// The playlist of all of it.
    package let full: String

    /// The playlist of its sound alone; nil when there is none.
    package let background: String?

    /// The addresses of an item.
    package init(full: String, background: String? = nil) {
        self.full = full
        self.background = background
    }

    /// The playlist of a rendition; nil when there is none.
    func url(_ rendition: ItemRendition) -> String? {
        switch rendition {
        case .full: full
        case .background: background
        }
    }
}

/// What the user, or a scenario in the user's place, does.
package enum SessionCommand: Sendable, Equatable {
    /// Puts items at the end of the queue, without playing.
    case open([ItemAddress])
    case play
    case pause
    case setRate(Double)
    /// Plays without waiting for enough to be buffered.
    case playImmediately
    /// Moves the playhead; a tolerance that is nil is infinite.
    case seek(to: Duration, toleranceBefore: Duration?, toleranceAfter: Duration?)
    case advance
    /// Leaves the app for the home screen.
    case goHome
    /// Locks the device with the app in front.
    case lock
    /// Comes back to the app, or unlocks the device.
    case comeBack
}

/// What goes into a session.
package enum SessionInput: Sendable {
    case fetch(FetchEvent)
    case timer(Int)
    case command(SessionCommand)
}

/// A player with its platform and its app: everything that plays, as one pure state machine.
///
/// Inputs go in with the present time, which never goes back; effects come out.
package struct PlaybackSession: Sendable {
    /// A stay in the background.
    package struct Stay: Sendable, Equatable {
        /// When the app resigned active.
        package let left: Instant
        /// Whether there was an item then that had not failed.
        package let hadItem: Bool
        /// When it entered the background; nil before.
        package internal(set) var entered: Instant?
        /// When it was about to enter the foreground again; nil before.
        package internal(set) var returned: Instant?
        /// Whether the player played, or waited to, when it returned.
        package internal(set) var wasPlayingAtReturn = false
        /// The items that failed during it.
        package internal(set) var failures: [ItemID] = []
        /// Whether the queue's last item played to its end during it.
        package internal(set) var playedToEnd = false
    }

    /// The player.
    package private(set) var player: QueuePlayer

    /// The app's stays in the background, oldest first.
    package private(set) var stays: [Stay] = []

    /// Whether the app policy cannot run on the platform, so that nothing is played.
    package let isUnavailable: Bool

    /// When the user first wished to play; nil before.
    package private(set) var firstWish: Instant?

    /// Bytes that came.
    package private(set) var bytes = 0

    private let platform: PlatformProfile
    private let app: AppProfile?
    private var service: MediaService
    private var lifecycle: Lifecycle
    private var policy: AppPolicy?
    private var random: SeededRandom
    private var sources: [ItemID: (address: ItemAddress, rendition: ItemRendition)] = [:]
    private var heldNotices: [PlayerNotice] = []
    private var requests: [FetchID: (began: Instant, bytes: Int)] = [:]
    private var isLayerHelping = false
    private var hasPlayedAll = false
    private var timer: (at: Instant, token: Int)?
    private var timerCount = 0

    /// A session in the foreground with nothing in its queue.
    ///
    /// - Parameters:
    ///   - platform: The platform.
    ///   - app: What the app does about the background; nil for nothing at all.
    ///   - seed: Decides what the platform leaves open.
    package init(platform: PlatformProfile, app: AppProfile? = nil, seed: UInt64 = 1) {
        self.platform = platform
        self.app = app
        random = SeededRandom(seed: seed)
        player = QueuePlayer(profile: platform, session: "segue-\(seed)")
        service = MediaService(profile: platform)
        lifecycle = Lifecycle(profile: platform.lifecycle)
        policy = app.map(AppPolicy.init)
        isUnavailable = app.map { !platform.players.contains($0.player) } ?? false
    }

    // MARK: Input

    /// Takes in an input and does everything that is due.
    package mutating func handle(_ input: SessionInput, at now: Instant) -> [SessionEffect] {
        switch input {
        case .fetch(let event):
            note(event, at: now)
            player.handle(event, at: now)
        case .timer(let token):
            guard token == timer?.token else { return takeEffects() }
            timer = nil
        case .command(let command):
            // What was due before is over before the command is carried out.
            settle(at: now)
            carryOut(command, at: now)
        }
        settle(at: now)
        setTimer(at: now)
        return takeEffects()
    }

    private mutating func takeEffects() -> [SessionEffect] {
        defer { player.output.effects = [] }
        for case .cancel(let id) in player.output.effects { requests[id] = nil }
        return player.output.effects
    }

    private mutating func log(_ kind: EventKind) { player.output.log(kind) }

    private mutating func note(_ event: FetchEvent, at now: Instant) {
        let number = event.id.number
        switch event {
        case .response(let id, let response):
            requests[id] = requests[id] ?? (now, 0)
            log(.requestAnswered(request: number, status: response.status))
        case .data(let id, let data):
            requests[id]?.bytes += data.count
            bytes += data.count
        case .finished(let id):
            let request = requests.removeValue(forKey: id)
            let began = player.began(id) ?? now
            log(.requestFinished(request: number, bytes: request?.bytes ?? 0, seconds: (now - began).seconds))
        case .failed(let id, let error):
            requests[id] = nil
            log(.requestFailed(request: number, reason: error.reason.rawValue, message: error.description))
        }
    }

    // MARK: The user

    private mutating func carryOut(_ command: SessionCommand, at now: Instant) {
        guard !isUnavailable else {
            if case .open = command, let app {
                log(
                    .appUnavailable(
                        policy: app.name,
                        reason: "it needs a \(app.player.rawValue), which \(platform.name) has not"
                    )
                )
            }
            return
        }
        switch command {
        case .open(let addresses):
            for address in addresses {
                let item = player.makeItem(url: address.full)
                sources[item.id] = (address, .full)
                player.insert(item, at: now)
            }
        case .play:
            if firstWish == nil { firstWish = now }
            call("play")
            policy?.userSet(isPlaying: true)
            player.play(at: now)
        case .pause:
            call("pause")
            policy?.userSet(isPlaying: false)
            player.pause(at: now)
        case .setRate(let rate):
            if rate > 0, firstWish == nil { firstWish = now }
            call("setRate")
            policy?.userSet(isPlaying: rate > 0)
            player.setRate(rate, at: now)
        case .playImmediately:
            if firstWish == nil { firstWish = now }
            call("playImmediately")
            policy?.userSet(isPlaying: true)
            player.playImmediately(at: now)
        case .seek(let target, let before, let after):
            call("seek")
            player.seek(to: target, toleranceBefore: before, toleranceAfter: after, at: now)
        case .advance:
            call("advanceToNextItem")
            player.advanceToNextItem(at: now)
        case .goHome: lifecycle.leave(byLock: false, at: now)
        case .lock: lifecycle.leave(byLock: true, at: now)
        case .comeBack: lifecycle.comeBack(at: now)
        }
    }

    private mutating func call(_ name: String) {
        log(.playerCommand(name: name, item: player.current?.id.description ?? ""))
    }

    // MARK: What is due

    private mutating func settle(at now: Instant) {
        var isChanging = true
        while isChanging {
            isChanging = false
            player.settle(at: now)
            for request in player.startRequests { service.request(request, at: now) }
            if !player.startRequests.isEmpty { isChanging = true }
            player.startRequests = []
            if let decision = decideService(at: now) {
                apply(decision, at: now)
                isChanging = true
            }
            let lastHeard = player.trail.lastHeard(at: now)
            if let step = lifecycle.step(at: now, lastHeard: lastHeard, isHeard: player.trail.isHeard) {
                take(step, at: now)
                isChanging = true
            }
            let notices = takeNotices()
            for notice in notices { tell(notice, at: now) }
            if !notices.isEmpty { isChanging = true }
        }
    }

    private mutating func decideService(at now: Instant) -> MediaService.Decision? {
        var beliefs: [EventKind] = []
        var wanted: ItemID?
        if case .requested(let item) = player.gate { wanted = item }
        let player = self.player
        let decision = service.settle(
            at: now,
            wanted: wanted,
            isVideoForbidden: lifecycle.isMediaInBackground && !isLayerHelping,
            tracks: { player.item($0)?.tracks },
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

    private mutating func take(_ step: Lifecycle.Step, at now: Instant) {
        log(.platformLifecycle(phase: step.rawValue))
        switch step {
        case .willResignActive: stays.append(Stay(left: now, hadItem: player.current.map { !$0.isFailed } ?? false))
        case .mediaSuspended: suspendMedia(at: now)
        case .didEnterBackground: stays[stays.count - 1].entered = now
        case .suspended:
            if player.rate > 0, let current = player.current {
                log(.platformPaused(item: current.id.description, reason: "the app is suspended"))
                player.holdByPlatform(reason: "suspended", at: now)
            }
        case .willEnterForeground:
            stays[stays.count - 1].returned = now
            stays[stays.count - 1].wasPlayingAtReturn = player.timeControl != .paused
        case .backgroundTaskExpired:
            if let app { log(.backgroundTaskExpired(policy: app.name)) }
        case .resumed:
            for notice in heldNotices { tell(notice, at: now) }
            heldNotices = []
        case .didBecomeActive: break
        }
        guard step.isToldToApp else { return }
        let facts = self.facts
        if let actions = policy?.handle(step, facts) { perform(actions, at: now) }
    }

    /// The platform's own pausing of media on leaving the app.
    private mutating func suspendMedia(at now: Instant) {
        guard let current = player.current, player.rate > 0 else { return }
        let pausing = lifecycle.isLocked ? platform.background.pausesOnLock : platform.background.pausesOnHome
        let hasVideo = current.tracks?.hasVideo ?? false
        let isPaused: Bool
        let reason: String
        switch pausing {
        case .nothing: (isPaused, reason) = (false, "")
        case .enabledVideo, .anyVideo: (isPaused, reason) = (hasVideo && !isLayerHelping, "it has video")
        case .everything: (isPaused, reason) = (!isLayerHelping || !hasVideo, "everything is paused")
        }
        guard isPaused else { return }
        log(.platformPaused(item: current.id.description, reason: reason))
        player.holdByPlatform(reason: "platform", at: now)
    }

    // MARK: The app

    /// What the app can read off its player.
    private var facts: AppPolicy.Facts {
        let current = player.current
        return AppPolicy.Facts(
            rate: player.rate,
            isPaused: player.timeControl == .paused,
            item: current?.id,
            tracks: current?.tracks,
            isFailed: current?.isFailed ?? false,
            hasBackgroundRendition: current.flatMap { sources[$0.id]?.address.background } != nil
        )
    }

    /// Takes what the app is told, in the order that the profile has.
    private mutating func takeNotices() -> [PlayerNotice] {
        var notices = player.output.notices
        player.output.notices = []
        if platform.playback.noticeOrder == .seeded, notices.count > 1 {
            // Only changes whose order nothing fixes are shuffled among their own places.
            let free = notices.indices.filter { notices[$0].isOrderFree }
            let shuffled = free.shuffled(using: &random).map { notices[$0] }
            for (place, notice) in zip(free, shuffled) { notices[place] = notice }
        }
        return notices
    }

    private mutating func tell(_ notice: PlayerNotice, at now: Instant) {
        switch notice {
        case .itemFailed(let item):
            if let last = stays.indices.last, stays[last].returned == nil { stays[last].failures.append(item) }
        case .currentItem(nil):
            hasPlayedAll = true
            if let last = stays.indices.last, stays[last].returned == nil { stays[last].playedToEnd = true }
        case .currentItem: hasPlayedAll = false
        default: break
        }
        guard !lifecycle.isSuspended else {
            heldNotices.append(notice)
            return
        }
        switch notice {
        case .itemReady(let item) where item == player.current?.id:
            if let actions = policy?.handleOutcome(isReady: true) { perform(actions, at: now) }
        case .itemFailed(let item) where item == player.current?.id || player.current == nil:
            if let actions = policy?.handleOutcome(isReady: false) { perform(actions, at: now) }
        default: break
        }
    }

    private mutating func perform(_ actions: [AppPolicy.Action], at now: Instant) {
        guard let app else { return }
        for action in actions {
            switch action {
            case .note(let note): log(.appNoted(policy: app.name, note: note))
            case .decide(let decision, let reason):
                log(.appDecided(policy: app.name, decision: decision, reason: reason))
            case .detachLayer: isLayerHelping = platform.background.detachingLayerHelps.holds(in: lifecycle.phase)
            case .attachLayer: isLayerHelping = false
            case .pause:
                call("pause")
                player.pause(at: now)
            case .play:
                call("play")
                player.play(at: now)
            case .replace(let rendition): replaceCurrent(with: rendition, at: now)
            case .beginTask:
                lifecycle.beginTask(at: now)
                log(.backgroundTaskBegan(policy: app.name))
            case .endTask:
                lifecycle.endTask()
                log(.backgroundTaskEnded(policy: app.name))
            }
        }
    }

    /// Makes an item of another rendition of the current one at the same position, and advances to it.
    private mutating func replaceCurrent(with rendition: ItemRendition, at now: Instant) {
        guard let current = player.current, let source = sources[current.id], let url = source.address.url(rendition)
        else { return }
        let item = player.makeItem(url: url, startingAt: player.position(at: now))
        sources[item.id] = (source.address, rendition)
        call("insert")
        player.insert(item, after: current.id, at: now)
        call("advanceToNextItem")
        player.advanceToNextItem(at: now)
    }

    // MARK: Time

    /// When something changes by itself; nil when nothing will before news comes.
    package func nextChange(at now: Instant) -> Instant? {
        let trail = player.trail
        return [
            player.nextChange(at: now), service.nextChange(at: now),
            lifecycle.nextChange(lastHeard: trail.lastHeard(at: now), isHeard: trail.isHeard),
        ].compactMap { $0 }.min()
    }

    private mutating func setTimer(at now: Instant) {
        let next = nextChange(at: now)
        guard next != timer?.at else { return }
        if let timer { player.output.effects.append(.cancelTimer(token: timer.token)) }
        timer = nil
        guard let next else { return }
        timerCount += 1
        timer = (next, timerCount)
        // Whatever is due has been done, so that time always goes on.
        assert(next > now, "something is due that nothing was done about: \(stateDescription(at: now))")
        player.output.effects.append(.timer(at: max(next, now + .microseconds(1)), token: timerCount))
    }

    // MARK: Asking

    /// Whether every item has played to its end or has left the queue, or nothing can be played at all.
    package var isFinished: Bool { isUnavailable || hasPlayedAll }

    /// How much media was heard.
    package func heard(at now: Instant) -> Duration { player.trail.heard(at: now) }

    /// When that much will have been heard if nothing changes; nil when it will not. To be asked again after each input.
    package func instant(whenHeard target: Duration) -> Instant? { player.trail.instant(whenHeard: target) }

    /// How much media was played, with sound or without.
    package func played(at now: Instant) -> Duration { player.trail.played(at: now) }

    /// When that much will have been played if nothing changes; nil when it will not. To be asked again after each input.
    package func instant(whenPlayed target: Duration) -> Instant? { player.trail.instant(whenPlayed: target) }

    /// Where the playhead is; zero without an item.
    package func position(at now: Instant) -> Duration { player.position(at: now) }

    /// How long the current item is; nil until known.
    package var duration: Duration? { player.current?.duration }

    /// Whether the current item has failed and stays.
    package var isFailed: Bool { player.current?.isFailed ?? false }

    /// Whether the app is on the screen, with no phase of its life under way.
    package var isInForeground: Bool { lifecycle.isInForeground }

    /// Whether the app is in the background, with no phase of its life under way.
    package var isInBackground: Bool { lifecycle.isSettledInBackground }

    /// The rendition of the current item; nil without one.
    package var rendition: ItemRendition? { player.current.flatMap { sources[$0.id]?.rendition } }

    /// The rendition that an item was made as; nil for an unknown one.
    package func rendition(of item: ItemID) -> ItemRendition? { sources[item]?.rendition }

    /// The addresses that an item was made from; nil for an unknown one.
    package func address(of item: ItemID) -> ItemAddress? { sources[item]?.address }

    /// The state of every part in one line, for a run that makes no progress.
    package func stateDescription(at now: Instant) -> String {
        var parts: [String] = []
        if let item = player.current {
            let ahead = item.bufferedEnd - item.position
            parts.append(
                "\(item.id) \(item.status.name) at \(player.position(at: now).seconds) of"
                    + " \(item.duration.map { "\($0.seconds)" } ?? "?") s, \(ahead.seconds) s ahead"
                    + (item.client.failure.map { ", \($0)" } ?? "")
            )
        } else {
            parts.append("no item")
        }
        parts.append("player \(player.timeControl.name) \(player.timeControl.waitingFor) at rate \(player.rate)")
        if player.isHeldByPlatform { parts.append("held by the platform") }
        parts.append("platform \(lifecycle.phase.rawValue)")
        if service.isPending { parts.append("media service asked") }
        parts.append("\(requests.count) answers under way")
        return parts.joined(separator: "; ")
    }
}

extension PlayerNotice {
    /// Whether nothing fixes its order among changes of the same moment.
    fileprivate var isOrderFree: Bool {
        switch self {
        case .itemReady, .timeControl, .currentItem: true
        default: false
        }
    }
}

extension PlatformProfile.LayerHelp {
    /// Whether taking the layer out in a phase of the app's life helps.
    fileprivate func holds(in phase: Lifecycle.Step) -> Bool {
        switch self {
        case .never: false
        case .always: true
        case .untilResignActive: phase == .willResignActive || phase == .didBecomeActive
        case .untilSuspend: phase == .willResignActive || phase == .didBecomeActive
        }
    }
}
