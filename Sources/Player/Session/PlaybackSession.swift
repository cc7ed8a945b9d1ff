internal import Events
internal import Fetch
package import Timeline

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
    package internal(set) var player: QueuePlayer

    /// The app's stays in the background, oldest first.
    package internal(set) var stays: [Stay] = []

    /// Whether the app policy cannot run on the platform, so that nothing is played.
    package let isUnavailable: Bool

    /// When the user first wished to play; nil before.
    package internal(set) var firstWish: Instant?

    /// Bytes that came.
    package private(set) var bytes = 0

    let platform: PlatformProfile
    let app: AppProfile?
    var service: MediaService
    var lifecycle: Lifecycle
    var policy: AppPolicy?
    var random: SeededRandom
    var sources: [ItemID: (address: ItemAddress, rendition: ItemRendition)] = [:]

    /// What a suspended app will be told when it runs again, in order.
    var heldNews: [AppNews] = []

    /// The requests under way: when each began and how much has come of it.
    var requests: [FetchID: (began: Instant, bytes: Int)] = [:]

    var isLayerHelping = false
    var isInterrupted = false
    var route = AudioRoute.speaker
    var hasPlayedAll = false

    /// Items of movie players that were made as soon as the former one was torn down, where these fail.
    var stillborn: Set<ItemID> = []
    var timer: (at: Instant, token: Int)?
    var timerCount = 0

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
        lifecycle = Lifecycle(profile: platform.lifecycle, hasService: app?.hasForegroundService ?? false)
        policy = app.map(AppPolicy.init)
        isLayerHelping = app?.layer == AppProfile.Layer.none && platform.background.absentLayerHelps
        isUnavailable = app.map { !platform.players.contains($0.player) } ?? false
    }

    // MARK: Input

    /// Takes in an input and does everything that is due.
    package mutating func handle(_ input: SessionInput, at now: Instant) -> [SessionEffect] {
        switch input {
        case .fetch(let event):
            note(event, at: now)
            if !player.handle(event, at: now) { return takeEffects(at: now) }
        case .timer(let token):
            guard token == timer?.token else { return takeEffects(at: now) }
            timer = nil
        case .command(let command):
            // What was due before is over before the command is carried out.
            settle(at: now)
            carryOut(command, at: now)
        }
        settle(at: now)
        setTimer(at: now)
        return takeEffects(at: now)
    }

    /// Hands on what has come and was kept until there would be more; for the end of a run.
    package mutating func handOn(at now: Instant) -> [SessionEffect] {
        player.handOn(at: now)
        return takeEffects(at: now)
    }

    private mutating func takeEffects(at now: Instant) -> [SessionEffect] {
        var effects: [SessionEffect] = []
        for effect in player.turn.effects {
            switch effect {
            case .fetch(let request): requests[request.id] = (now, 0)
            case .cancel(let id):
                let bytes = requests.removeValue(forKey: id)?.bytes ?? 0
                effects.append(.log(.requestCancelled(request: id.number, bytes: bytes)))
            case .timer, .cancelTimer, .log, .delivered: break
            }
            effects.append(effect)
        }
        player.turn.effects = []
        return effects
    }

    mutating func log(_ kind: EventKind) { player.turn.log(kind) }

    private mutating func note(_ event: FetchEvent, at now: Instant) {
        let number = event.id.number
        switch event {
        case .response(_, let response): log(.requestAnswered(request: number, status: response.status))
        case .data(let id, let data):
            requests[id]?.bytes += data.count
            bytes += data.count
        case .finished(let id):
            guard let request = requests.removeValue(forKey: id) else { return }
            let seconds = (now - request.began).seconds
            log(.requestFinished(request: number, bytes: request.bytes, seconds: seconds))
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
        perform(command, at: now)
    }

    mutating func call(_ name: String) {
        log(.playerCommand(name: name, item: player.current?.id.description ?? ""))
    }

    // MARK: What is due

    private mutating func settle(at now: Instant) {
        var isChanging = true
        while isChanging {
            isChanging = false
            player.settle(at: now)
            for request in player.drive.gate.requests { service.request(request, at: now) }
            if !player.drive.gate.requests.isEmpty { isChanging = true }
            player.drive.gate.requests = []
            if let decision = decideService(at: now) {
                apply(decision, at: now)
                isChanging = true
            }
            let lastHeard = player.trail.lastSounding(at: now)
            if let step = lifecycle.step(at: now, lastHeard: lastHeard, isHeard: player.trail.isSounding) {
                take(step, at: now)
                isChanging = true
            }
            if !isChanging { player.settle(at: now, isServiceAsked: true) }
            let notices = takeNotices()
            for notice in notices { tell(notice, at: now) }
            if !notices.isEmpty { isChanging = true }
        }
    }

    private mutating func decideService(at now: Instant) -> MediaService.Decision? {
        var beliefs: [EventKind] = []
        let wanted = player.wanted
        if let wanted, isInterrupted { return .ignore(wanted, reason: "an interruption goes on") }
        if let wanted, stillborn.contains(wanted) {
            return .reject(wanted, reason: "the movie player before it was torn down just before it was made")
        }
        let queue = player.queue
        let decision = service.settle(
            at: now,
            wanted: wanted,
            isVideoForbidden: lifecycle.isMediaInBackground && pausing != .nothing && !isLayerHelping && isPausing,
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

    // MARK: Time

    /// When something changes by itself; nil when nothing will before news comes.
    package func nextChange(at now: Instant) -> Instant? {
        let trail = player.trail
        return [
            player.nextChange(at: now), service.nextChange(at: now),
            lifecycle.nextChange(lastHeard: trail.lastSounding(at: now), isHeard: trail.isSounding),
        ].compactMap { $0 }.min()
    }

    private mutating func setTimer(at now: Instant) {
        let next = nextChange(at: now)
        guard next != timer?.at else { return }
        if let timer { player.turn.effects.append(.cancelTimer(token: timer.token)) }
        timer = nil
        guard let next else { return }
        timerCount += 1
        timer = (next, timerCount)
        // Whatever is due has been done, so that time always goes on.
        assert(next > now, "something is due that nothing was done about: \(stateDescription(at: now))")
        player.turn.effects.append(.timer(at: max(next, now + .microseconds(1)), token: timerCount))
    }
}
