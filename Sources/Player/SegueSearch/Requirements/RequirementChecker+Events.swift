internal import SegueBase
internal import SegueEvents

/// The effects of events.
extension RequirementChecker {
    mutating func handle(_ event: Event) {
        let now = event.at
        for (rule, message) in [
            (.twice, loads.handle(event)), (.backoff, retries.handle(event)),
        ] as [(BrokenRule.Rule, String?)] {
            find(rule, message, at: now)
        }
        switch event.kind {
        case .stepBegan(let number, _):
            let actions = context.actions
            if actions.indices.contains(number - 1), let action = actions[number - 1] { handle(action, at: now) }
        case .playerCommand("play", _):
            // An app that starts playback itself intends it.
            if !wish.hasActed, wish.mood == .either { wish.mood = .audio }
        case .playerCommand("pause", _):
            // Without a user, only the app itself knows whether anything is to be heard.
            if !wish.hasActed { wish.relax() }
        case .appDecided(_, let decision, _): if context.endingDecisions.contains(decision) { wish.relax() }
        case .playerRate(let rate, let reason):
            heard.rate = rate
            if rate == 0, reason == "command", !wish.hasActed { wish.relax() }
            if reason != RateReason.liveCatchUp { rateSet = rate }
        case .interstitialAssetBegan(_, _, let asset, _): items.assets.insert(asset)
        case .interstitialEnded(let item, _, _, _, let position): heard.displace(name(of: item), to: position)
        case .scanBegan: isScanning = true
        case .scanEnded(let item, let position, _, _):
            isScanning = false
            heard.displace(name(of: item), to: position)
        case .soundBegan(let item, let position) where items.assets.contains(item):
            heard.begin(item, at: .seconds(position), now)
        case .soundEnded(let item, _, _) where items.assets.contains(item): heard.end(at: now)
        case .soundBegan(let item, let position): begin(item, at: .seconds(position), now)
        case .soundEnded(let item, let position, _): end(item, at: .seconds(position), now)
        case .requestBegan(let request, let url, _): storms.begin(request, url)
        case .requestAnswered(let request, let status):
            if status >= 400 { find(.storm, storms.miss(request, at: now), at: now) }
        case .requestFinished(let request, _, _), .requestCancelled(let request, _): storms.end(request)
        case .requestFailed(let request, _, _):
            find(.storm, storms.miss(request, at: now), at: now)
            storms.end(request)
        default: handleItems(event.kind, at: now)
        }
    }

    private mutating func handleItems(_ event: EventKind, at now: Instant) {
        switch event {
        case .queueCurrent(let item):
            items.current = item.isEmpty ? nil : item
            if !item.isEmpty { changeItem(to: item) }
        // A pause remains in effect.
        case .queueEmptied:
            items.current = nil
            wish.relax()
        case .queueRemoved(let item, _): order.remove(item)
        case .queueInserted(let item, let url):
            order.insert(item, url)
            find(.storm, storms.insert(item, at: now), at: now)
        case .itemReadyToPlay(let item, let duration), .itemDurationKnown(let item, let duration):
            items.durations[item] = .seconds(duration)
            order.isReady(item)
        case .itemPlayedToEnd:
            (heard.left, wish.seek) = ([:], nil)
            // The app decides what follows, except in a list that it plays through.
            if !order.mustFollow { wish.end() }
            order.pass(isEnd: true)
        case .itemFailed(let item, let domain, let code, _):
            // On Apple's platforms, an item that a reset of the media services ends fails with
            // AVError.mediaServicesWereReset.
            fail(item, isOfNetwork: domain != "Platform" && (domain, code) != ("AVFoundationErrorDomain", -11819))
        case .seekBegan(let item, let target, _, _): items.seeks[item] = .seconds(target)
        case .seekEnded(let item, let position, let isFinished):
            endSeek(of: item, at: .seconds(position), isFinished: isFinished)
        case .itemTimeJumped(let item, let position) where items.seeks[item] == nil:
            // The platform has moved the playhead, as to the live edge.
            leap(in: item, to: .seconds(position))
        case .bufferLikelyToKeepUp(let item, let isLikely):
            if isLikely { items.likely.insert(item) } else { items.likely.remove(item) }
        default: handlePlatform(event, at: now)
        }
    }

    private mutating func handlePlatform(_ event: EventKind, at now: Instant) {
        switch event {
        case .platformRejected(let item, let reason):
            // A rejection matters only if the user wants to hear the item.
            if wish.mood == .audio { find(.rejected, "the platform rejected \(item): \(reason)", at: now) }
        case .appException(let call, let reason): find(.exception, "\(call): \(reason)", at: now)
        case .appTerminated(let cause, let reason):
            find(
                .crash,
                (cause == "crash" ? "the app crashed: " : "the platform terminated the app: ") + reason,
                at: now
            )
        case .queueRefused(let item, let reason): find(.exception, "the queue refused \(item): \(reason)", at: now)
        case .platformRoute("speaker", _): if heard.item == nil { wish.relax() }
        case .platformPaused(_, PauseReason.outputRemoved): wish.mood = .silence
        case .platformLifecycle(let phase): handle(phase, at: now)
        case .appMisdeclared: app.misdeclaration = event.misdeclaration
        case .backgroundTaskBegan: app.beginTask()
        case .backgroundTaskEnded: app.endTask()
        case .backgroundTaskExpired: app.expireTasks(at: now)
        default: break
        }
    }

    private mutating func handle(_ action: UserAction, at now: Instant) {
        (since, wish.hasActed, wish.isOver) = ([:], true, false)
        order.act()
        switch action {
        case .play: wish.mood = .audio
        case .pause: wish.mood = .silence
        case .stop:
            (wish.mood, wish.seek) = (.silence, nil)
            goElsewhere(at: now)
        // Another player may be meant.
        case .seek where isForAnother: goElsewhere(at: now)
        case .rate where isForAnother: break
        case .seek(let target):
            goElsewhere(to: target, at: now)
            wish.seek = heard.item != nil && isNear(heard.position(at: now), target) ? nil : target
        case .rate(let rate):
            wish.rate = rate
            wish.allowAudio()
        case .otherTitle: order.forget()
        case .next:
            // After the last title, nothing may follow.
            if !order.hasMore { wish.mood = .either }
            order.next()
        case .previous:
            if !order.isKnown { wish.mood = .either }
            order.previous()
        case .choose(let index): order.choose(index)
        case .other:
            (wish.mood, wish.seek, wish.rate) = (.either, nil, nil)
            goElsewhere(at: now)
            order.forget()
        }
        if action.isOfTitle {
            (wish.seek, heard.left) = (nil, [:])
            goElsewhere(to: .zero, at: now)
            wish.allowAudio()
        }
    }

    /// True if a change of position or rate may concern another player of the app.
    private var isForAnother: Bool { context.isFollower || context.isOneOfSeveral && heard.item == nil }

    private mutating func goElsewhere(to target: Duration? = nil, at now: Instant) {
        wish.move = UserWish.Move(at: now, target: target, items: order.items)
    }

    /// Handles the end of a seek.
    ///
    /// The platform may have moved the target into the seekable range, for which the app is not responsible.
    private mutating func endSeek(of item: String, at position: Duration, isFinished: Bool) {
        guard let target = items.seeks.removeValue(forKey: item), isFinished else { return }
        if let wanted = wish.seek, isNear(target, wanted), !isNear(position, target) { leap(in: item, to: position) }
    }

    /// Handles a change of position by the platform.
    private mutating func leap(in item: String, to position: Duration) {
        heard.displace(name(of: item), to: position.seconds)
        wish.seek = nil
        wish.move = nil
    }

    private mutating func begin(_ item: String, at place: Duration, _ now: Instant) {
        let hadAdvanced = order.hasAdvanced
        find(.order, order.begin(item), at: now)
        if !hadAdvanced, order.hasAdvanced { wish.follow() }
        app.misdeclaration = nil
        if let before = heard.left[name(of: item)], wish.move == nil, wish.seek == nil, !isNear(place, before) {
            let change = "from \(before.words) to \(place.words)"
            find(.jump, "\(item) jumped \(change) without an action of the user", at: now)
        }
        if let target = wish.seek, isNear(place, target) { wish.seek = nil }
        if let move = wish.move, !isThere(item, at: place, move) {
            wish.move?.isOverheard = true
        } else {
            wish.move = nil
        }
        heard.begin(item, at: place, now)
    }

    /// Returns whether a start of playback shows the app's reaction to the user's action.
    ///
    /// Playback from before may continue, at another rate or on its way elsewhere.
    private func isThere(_ item: String, at place: Duration, _ move: UserWish.Move) -> Bool {
        guard move.items.contains(item) else { return true }
        if let target = move.target { return isNear(place, target) }
        guard let lastEnd = heard.lastEnd, lastEnd.name == name(of: item) else { return false }
        return !isNear(place, lastEnd.place)
    }

    private mutating func end(_ item: String, at place: Duration, _ now: Instant) {
        // An effect that has not appeared for so long will not appear.
        if let move = wish.move, move.isOverheard, now - move.at >= Self.seekLimit { wish.move = nil }
        heard.end(name(of: item), at: place, now)
    }

    private mutating func fail(_ item: String, isOfNetwork: Bool) {
        items.failed.insert(item)
        if isOfNetwork { items.lost.insert(item) }
        order.isReady(item)
        order.pass(isEnd: false)
        let mayBeCurrent = items.mayBeCurrent(item)
        // The app must recreate an item that the platform destroyed, from any URL.
        if mayBeCurrent, isOfNetwork || order.title(of: item) != nil { items.failedSource = order.source(of: item) }
        if isOfNetwork, mayBeCurrent { wish.relax() }
    }

    /// Handles a new current item.
    ///
    /// A failed title that is skipped does not continue.
    private mutating func changeItem(to item: String) {
        guard let failed = items.failedSource else { return }
        items.failedSource = nil
        if order.source(of: item) != failed { (wish.seek, heard.left) = (nil, [:]) }
    }

    /// Returns the object of a position: the title, if it is known, across recreated items.
    private func name(of item: String) -> String { order.title(of: item).map { "title \($0 + 1)" } ?? item }

    private mutating func handle(_ phase: String, at now: Instant) {
        switch phase {
        case "interruptionBegan": app.isInterrupted = true
        case "interruptionEnded":
            app.isInterrupted = false
            wish.relax()
        case "interruptionEnded(shouldResume)": app.isInterrupted = false
        case "mediaServicesReset":
            if app.isInterrupted { wish.relax() }
            app.isInterrupted = false
        case "didEnterBackground": (app.isInBackground, heard.silentSince) = (true, now)
        case "didBecomeActive": app.isInBackground = false
        // An app that is suspended during a call is not notified of its end. While something loads, an app may hold a
        // background task, but not forever, and a user action does not renew it.
        case "suspended":
            if app.isInterrupted || isHindered && now - heard.silentSince >= Self.patience { wish.relax() }
        case "terminated": app.isGone = true
        default: break
        }
    }
}

extension UserAction {
    /// True if it requests another title.
    fileprivate var isOfTitle: Bool {
        switch self {
        case .otherTitle, .next, .previous, .choose: true
        case .play, .pause, .stop, .seek, .rate, .other: false
        }
    }
}
