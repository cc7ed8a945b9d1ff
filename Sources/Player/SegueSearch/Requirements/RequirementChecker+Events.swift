internal import SegueBase
internal import SegueEvents

/// The effects of events.
extension RequirementChecker {
    mutating func handle(_ event: Event, _ actions: [UserAction?]) {
        let now = event.at
        switch event.kind {
        case .stepBegan(let number, _):
            if actions.indices.contains(number - 1), let action = actions[number - 1] { handle(action, at: now) }
        case .playerCommand("play", _):
            // An app that starts playback itself intends it.
            if !hasWished, mood == .either { mood = .sound }
        case .playerRate(let rate, let reason):
            self.rate = rate
            if reason != RateReason.liveCatchUp { rateSet = rate }
        case .interstitialAssetBegan(_, _, let asset, _): assets.insert(asset)
        case .interstitialEnded(let item, _, _, _, let position):
            // The stream determines the position at which the item continues.
            if left[name(of: item)] != nil { left[name(of: item)] = .seconds(position) }
        case .scanBegan: isScanning = true
        case .scanEnded(let item, let position, _, _):
            isScanning = false
            if left[name(of: item)] != nil { left[name(of: item)] = .seconds(position) }
        case .soundBegan(let item, let position) where assets.contains(item):
            (sounding, soundBegan, soundPlace) = (item, now, .seconds(position))
        case .soundEnded(let item, _, _) where assets.contains(item): (sounding, unheardSince) = (nil, now)
        case .soundBegan(let item, let position): begin(item, at: .seconds(position), now)
        case .soundEnded(let item, let position, _): end(item, at: .seconds(position), now)
        case .queueCurrent(let item):
            current = item.isEmpty ? nil : item
            if !item.isEmpty { goOver(to: item) }
        // A pause remains in effect.
        case .queueEmptied: mood = mood == .sound ? .either : mood
        case .queueRemoved(let item, _): order.remove(item)
        case .queueInserted(let item, let url):
            order.insert(item, url)
            insertions = insertions.filter { now - $0 < Self.stormTime } + [now]
            if insertions.count >= Self.stormCount {
                find(.storm, "\(insertions.count) items were inserted into the queue, up to \(item)", at: now)
            }
        case .itemReadyToPlay(let item, let duration), .itemDurationKnown(let item, let duration):
            durations[item] = .seconds(duration)
            order.isReady(item)
        case .itemPlayedToEnd:
            (left, seek) = ([:], nil)
            // The app decides what follows, except in a list.
            if !order.hasMore { mood = mood == .sound ? .either : mood }
            order.pass()
        case .itemFailed(let item, let domain, _, _):
            failed.insert(item)
            if domain != "Platform" { lost.insert(item) }
            order.isReady(item)
            order.pass()
            // The app must recreate an item that the platform destroyed, from any URL.
            if item == current || current == nil, domain != "Platform" || order.title(of: item) != nil {
                failedSource = order.source(of: item)
            }
            if domain != "Platform", item == current || current == nil { mood = mood == .sound ? .either : mood }
        case .bufferLikelyToKeepUp(let item, let isLikely):
            if isLikely { likely.insert(item) } else { likely.remove(item) }
        case .platformRejected(let item, let reason):
            // A rejection matters only if the user wants to hear the item.
            if mood == .sound { find(.rejected, "the platform rejected \(item): \(reason)", at: now) }
        case .appException(let call, let reason): find(.exception, "\(call): \(reason)", at: now)
        case .queueRefused(let item, let reason): find(.exception, "the queue refused \(item): \(reason)", at: now)
        case .platformRoute("speaker", _): if mood == .sound, sounding == nil { mood = .either }
        case .platformPaused(_, "the output was taken away"): mood = .silence
        case .platformLifecycle(let phase): handle(phase, at: now)
        case .backgroundTaskBegan: tasks += 1
        case .backgroundTaskEnded: (tasks, expiredAt) = (max(0, tasks - 1), nil)
        case .backgroundTaskExpired: (tasks, expiredAt) = (0, now)
        case .requestBegan(let request, let url, _): underway[request] = url
        case .requestAnswered(let request, let status): if status >= 400 { miss(underway[request], at: now) }
        case .requestFinished(let request, _, _), .requestCancelled(let request, _): underway[request] = nil
        case .requestFailed(let request, _, _): miss(underway.removeValue(forKey: request), at: now)
        default: break
        }
    }

    private mutating func handle(_ action: UserAction, at now: Instant) {
        (since, hasWished) = ([:], true)
        switch action {
        case .play: mood = .sound
        case .pause: mood = .silence
        case .stop:
            (mood, seek) = (.silence, nil)
            goElsewhere(at: now)
        case .seek(let target):
            goElsewhere(to: target, at: now)
            let place = soundPlace + (now - soundBegan) * rate
            seek = sounding != nil && isNear(place, target) ? nil : target
        case .rate(let rate):
            rateWished = rate
            if mood == .silence { mood = .either }
        case .otherTitle: order.forget()
        case .next:
            // After the last title, nothing may follow.
            if !order.hasMore { mood = .either }
            order.next()
        case .previous:
            if !order.isKnown { mood = .either }
            order.previous()
        case .choose(let index): order.choose(index)
        case .other:
            (mood, seek, rateWished) = (.either, nil, nil)
            goElsewhere(at: now)
            order.forget()
        }
        if action.isOfTitle {
            (seek, left) = (nil, [:])
            goElsewhere(to: .zero, at: now)
            if mood == .silence { mood = .either }
        }
    }

    private mutating func goElsewhere(to target: Duration? = nil, at now: Instant) {
        move = Move(at: now, target: target, items: order.items)
    }

    private mutating func begin(_ item: String, at place: Duration, _ now: Instant) {
        order.begin(item)
        let name = name(of: item)
        if let before = left[name], move == nil, seek == nil, !isNear(place, before) {
            find(.jump, "\(item) jumped from \(text(before)) to \(text(place)) without an action of the user", at: now)
        }
        if let target = seek, isNear(place, target) { seek = nil }
        if let move, !isThere(item, at: place, move) { self.move?.isOverheard = true } else { move = nil }
        (sounding, soundBegan, soundPlace) = (item, now, place)
    }

    /// Whether a start of playback shows the app's reaction to the user's action.
    ///
    /// Playback from before may continue, at another rate or on its way elsewhere.
    private func isThere(_ item: String, at place: Duration, _ move: Move) -> Bool {
        guard move.items.contains(item) else { return true }
        if let target = move.target { return isNear(place, target) }
        guard let lastEnd, lastEnd.name == name(of: item) else { return false }
        return !isNear(place, lastEnd.place)
    }

    private mutating func end(_ item: String, at place: Duration, _ now: Instant) {
        left[name(of: item)] = place
        // An effect that has not appeared for so long will not appear.
        if let move, move.isOverheard, now - move.at >= Self.seekLimit { self.move = nil }
        (sounding, lastEnd, unheardSince) = (nil, (name(of: item), place), now)
    }

    /// Handles a new current item.
    ///
    /// A failed title that is skipped does not continue.
    private mutating func goOver(to item: String) {
        guard let failed = failedSource else { return }
        failedSource = nil
        if order.source(of: item) != failed { (seek, left) = (nil, [:]) }
    }

    /// Returns the object of a position: the title, if it is known, across recreated items.
    private func name(of item: String) -> String { order.title(of: item).map { "title \($0 + 1)" } ?? item }

    private mutating func handle(_ phase: String, at now: Instant) {
        switch phase {
        case "interruptionBegan": isInterrupted = true
        case "interruptionEnded": (isInterrupted, mood) = (false, mood == .sound ? .either : mood)
        case "interruptionEnded(shouldResume)": isInterrupted = false
        case "mediaServicesReset":
            if isInterrupted { (isInterrupted, mood) = (false, mood == .sound ? .either : mood) }
        case "didEnterBackground": (isInBackground, unheardSince) = (true, now)
        case "didBecomeActive": isInBackground = false
        // An app that is suspended during a call is not notified of its end. While something loads, an app may hold a
        // background task, but not forever, and a user action does not renew it.
        case "suspended":
            if mood == .sound, isInterrupted || isHindered && now - unheardSince >= Self.patience { mood = .either }
        case "terminated": isGone = true
        default: break
        }
    }

    private mutating func miss(_ url: String?, at now: Instant) {
        guard let url else { return }
        let times = (misses[url] ?? []).filter { now - $0 < Self.stormTime } + [now]
        misses[url] = times
        if times.count >= Self.stormCount {
            find(.storm, "\(url) failed \(times.count) times within \(text(Self.stormTime))", at: now)
        }
    }
}

extension UserAction {
    /// Whether it requests another title.
    fileprivate var isOfTitle: Bool {
        switch self {
        case .otherTitle, .next, .previous, .choose: true
        case .play, .pause, .stop, .seek, .rate, .other: false
        }
    }
}
