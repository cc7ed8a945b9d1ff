internal import Events
internal import Timeline

/// What each event changes.
extension WishJudge {
    mutating func take(_ event: Event, _ wishes: [Wish?]) {
        let now = event.at
        switch event.kind {
        case .stepBegan(let number, _):
            if wishes.indices.contains(number - 1), let wish = wishes[number - 1] { take(wish, at: now) }
        case .playerCommand("play", _):
            // An app that begins by itself means to be heard.
            if !hasWished, mood == .either { mood = .sound }
        case .playerRate(let rate, _): self.rate = rate
        case .soundBegan(let item, let position): begin(item, at: .seconds(position), now)
        case .soundEnded(let item, let position, _): end(item, at: .seconds(position), now)
        case .queueCurrent(let item): current = item.isEmpty ? nil : item
        case .queueEmptied: mood = .either
        case .queueRemoved(let item, _): order.remove(item)
        case .queueInserted(let item, let url):
            order.insert(item, url)
            insertions = insertions.filter { now - $0 < Self.stormTime } + [now]
            if insertions.count >= Self.stormCount {
                find(.storm, "\(insertions.count) items were put in the queue, up to \(item)", at: now)
            }
        case .itemReadyToPlay(let item, let duration), .itemDurationKnown(let item, let duration):
            durations[item] = .seconds(duration)
            order.isReady(item)
        case .itemPlayedToEnd:
            (left, seek) = ([:], nil)
            // What follows is the app's to say, but in a list.
            if !order.hasMore { mood = mood == .sound ? .either : mood }
            order.pass()
        case .itemFailed(let item, let domain, _, _):
            failed.insert(item)
            if domain != "Platform" { lost.insert(item) }
            order.isReady(item)
            order.pass()
            if domain != "Platform", item == current || current == nil { mood = mood == .sound ? .either : mood }
        case .bufferLikelyToKeepUp(let item, let isLikely):
            if isLikely { likely.insert(item) } else { likely.remove(item) }
        case .platformRejected(let item, let reason):
            // Of what nobody wishes to hear nothing is lost.
            if mood == .sound { find(.rejected, "the platform rejected \(item): \(reason)", at: now) }
        case .appException(let call, let reason): find(.exception, "\(call): \(reason)", at: now)
        case .queueRefused(let item, let reason): find(.exception, "the queue refused \(item): \(reason)", at: now)
        case .platformRoute("speaker", _): if mood == .sound, sounding == nil { mood = .either }
        case .platformPaused(_, "the output was taken away"): mood = .silence
        case .platformLifecycle(let phase): take(phase, at: now)
        case .backgroundTaskBegan: holdsTask = true
        case .backgroundTaskEnded: holdsTask = false
        case .backgroundTaskExpired: find(.task, "a background task was held until its time was over", at: now)
        case .requestBegan(let request, let url, _): underway[request] = url
        case .requestAnswered(let request, let status): if status >= 400 { miss(underway[request], at: now) }
        case .requestFinished(let request, _, _), .requestCancelled(let request, _): underway[request] = nil
        case .requestFailed(let request, _, _): miss(underway.removeValue(forKey: request), at: now)
        default: break
        }
    }

    private mutating func take(_ wish: Wish, at now: Instant) {
        (since, hasWished, awaitedSince) = ([:], true, now)
        switch wish {
        case .play: mood = .sound
        case .pause: mood = .silence
        case .stop: (mood, hasMoved, seek) = (.silence, true, nil)
        case .seek(let target):
            hasMoved = true
            let place = soundPlace + (now - soundBegan) * rate
            seek = sounding != nil && isNear(place, target) ? nil : target
        case .rate(let rate):
            rateWished = rate
            if mood == .silence { mood = .either }
        case .otherTitle: order.forget()
        case .next:
            // Behind the last one there may be nothing.
            if !order.hasMore { mood = .either }
            order.next()
        case .previous:
            if !order.isKnown { mood = .either }
            order.previous()
        case .choose(let index): order.choose(index)
        case .other:
            (mood, hasMoved, seek, rateWished) = (.either, true, nil, nil)
            order.forget()
        }
        if wish.isOfTitle {
            (hasMoved, seek, left) = (true, nil, [:])
            if mood == .silence { mood = .either }
        }
    }

    private mutating func begin(_ item: String, at place: Duration, _ now: Instant) {
        order.begin(item)
        if let before = left[name(of: item)], !hasMoved, seek == nil, !isNear(place, before) {
            find(.jump, "\(item) went from \(text(before)) to \(text(place)), and the user did not ask for it", at: now)
        }
        if let target = seek, isNear(place, target) { seek = nil }
        (sounding, soundBegan, soundPlace, hasMoved) = (item, now, place, false)
    }

    private mutating func end(_ item: String, at place: Duration, _ now: Instant) {
        left[name(of: item)] = place
        (sounding, awaitedSince) = (nil, now)
    }

    /// What a place belongs to: the title, however often its items are made again, where it is known.
    private func name(of item: String) -> String { order.title(of: item).map { "title \($0 + 1)" } ?? item }

    private mutating func take(_ phase: String, at now: Instant) {
        switch phase {
        case "interruptionBegan": isInterrupted = true
        case "interruptionEnded": (isInterrupted, mood) = (false, mood == .sound ? .either : mood)
        case "interruptionEnded(shouldResume)": isInterrupted = false
        case "mediaServicesReset":
            if isInterrupted { (isInterrupted, mood) = (false, mood == .sound ? .either : mood) }
        case "didEnterBackground": isInBackground = true
        case "didBecomeActive": isInBackground = false
        // Whose app is suspended during a call is not told of its end.
        case "suspended":
            if mood == .sound, isInterrupted || isHindered && now - awaitedSince >= Self.patience { mood = .either }
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

extension Wish {
    /// Whether it is for another title.
    fileprivate var isOfTitle: Bool {
        switch self {
        case .otherTitle, .next, .previous, .choose: true
        case .play, .pause, .stop, .seek, .rate, .other: false
        }
    }
}
