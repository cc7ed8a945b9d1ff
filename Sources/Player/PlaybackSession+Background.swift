internal import Events
internal import Timeline

/// Something that an app is told.
enum AppNews: Sendable {
    /// A step of the platform.
    case step(Lifecycle.Step)
    /// A change of the player.
    case notice(PlayerNotice)
}

extension PlaybackSession {
    mutating func take(_ step: Lifecycle.Step, at now: Instant) {
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
            let news = heldNews
            heldNews = []
            for news in news { tellApp(news, at: now) }
        case .terminated:
            stays[stays.count - 1].entered = now
            player.pause(at: now)
            player.removeAll(at: now)
        case .didBecomeActive:
            if stays[stays.count - 1].returned == nil { stays[stays.count - 1].returned = now }
        case .locked, .unlocked, .interruptionBegan, .interruptionEnded, .interruptionEndedShouldResume, .routeChanged,
            .mediaServicesReset:
            break
        }
        if step.isToldToApp { tellApp(.step(step), at: now) }
    }

    /// What the platform pauses, by how the app was left.
    var pausing: PlatformProfile.Pausing {
        lifecycle.isLocked ? platform.background.pausesOnLock : platform.background.pausesOnHome
    }

    /// The platform's own pausing of media on leaving the app.
    mutating func suspendMedia(at now: Instant) {
        guard let current = player.current, player.rate > 0 else { return }
        let isCounting = pausing == .anyVideo
        let hasVideo = current.shownTracks(countingDisabled: isCounting)?.hasVideo ?? false
        let isPaused: Bool
        let reason: String
        switch pausing {
        case .nothing: (isPaused, reason) = (false, "")
        case .enabledVideo, .anyVideo:
            (isPaused, reason) = (hasVideo && !isLayerHelping && isPausing, "it has video")
        case .everything: (isPaused, reason) = (!isLayerHelping || !hasVideo, "everything is paused")
        }
        guard isPaused else { return }
        log(.platformPaused(item: current.id.description, reason: reason))
        player.holdByPlatform(reason: "platform", at: now)
    }

    // MARK: The app

    /// What the app can read off its player.
    var facts: AppPolicy.Facts {
        let current = player.current
        let spare = player.items.first { $0.companion == current?.id }
        return AppPolicy.Facts(
            rate: player.rate,
            isPaused: player.timeControl == .paused,
            item: current?.id,
            tracks: current?.tracks,
            isFailed: current?.isFailed ?? false,
            hasBackgroundRendition: current.flatMap { sources[$0.id]?.address.background } != nil,
            isPreloadedReady: spare?.status == .readyToPlay
        )
    }

    /// Takes what the app is told, in the order that the profile has.
    mutating func takeNotices() -> [PlayerNotice] {
        var notices = player.turn.notices
        player.turn.notices = []
        if platform.playback.noticeOrder == .seeded, notices.count > 1 {
            // Only changes of different things are shuffled, among their own places: each thing's own come in order.
            let free = notices.indices.filter { notices[$0].subject != nil }
            let subjects = free.shuffled(using: &random).map { notices[$0].subject }
            var waiting = Dictionary(grouping: free.map { notices[$0] }, by: \.subject)
            for (place, subject) in zip(free, subjects) {
                if let next = waiting[subject]?.removeFirst() { notices[place] = next }
            }
        }
        return notices
    }

    /// Takes in a change of the player, of which the app is told.
    mutating func tell(_ notice: PlayerNotice, at now: Instant) {
        switch notice {
        case .itemFailed(let item):
            if let last = stays.indices.last, stays[last].returned == nil { stays[last].failures.append(item) }
        case .currentItem(nil):
            hasPlayedAll = true
            if let last = stays.indices.last, stays[last].returned == nil,
                player.removed.last(where: { $0.companion == nil })?.isAtEnd ?? false
            {
                stays[last].playedToEnd = true
            }
        case .currentItem: hasPlayedAll = false
        case .itemReady, .itemShowsFailure, .itemPlayedToEnd, .itemFailedToPlayToEnd, .itemStalled, .itemTimeJumped,
            .seekEnded, .timeControl:
            break
        }
        tellApp(.notice(notice), at: now)
    }

    /// Tells the app something; one that is suspended hears of it when it runs again.
    private mutating func tellApp(_ news: AppNews, at now: Instant) {
        guard !lifecycle.isSuspended else {
            heldNews.append(news)
            return
        }
        switch news {
        case .step(let step):
            let facts = self.facts
            if let actions = policy?.handle(step, facts) { perform(actions, at: now) }
        case .notice(let notice): answer(notice, at: now)
        }
    }

    /// What the app does about a change of the player.
    private mutating func answer(_ notice: PlayerNotice, at now: Instant) {
        let facts = self.facts
        switch notice {
        case .itemReady(let item) where item == player.current?.id:
            if let actions = policy?.handleOutcome(isReady: true, facts) { perform(actions, at: now) }
        case .itemReady(let item) where player.item(item)?.companion == player.current?.id:
            if let actions = policy?.handlePreloaded() { perform(actions, at: now) }
        case .itemFailed(let item) where player.item(item)?.companion != nil: player.remove(item, at: now)
        case .itemFailed(let item) where item == player.current?.id || player.current == nil:
            let isRejected = player.item(item)?.error?.domain == .platform
            if let actions = policy?.handleOutcome(isReady: false, isRejected: isRejected, facts) {
                perform(actions, at: now)
            }
        case .itemShowsFailure(let item) where item == player.current?.id:
            if let actions = policy?.handleOutcome(isReady: false, facts) { perform(actions, at: now) }
        case .itemPlayedToEnd(let item):
            for spare in player.items where spare.companion == item { player.remove(spare.id, at: now) }
        case .itemReady, .itemFailed, .itemShowsFailure, .itemFailedToPlayToEnd, .itemStalled, .itemTimeJumped,
            .seekEnded, .currentItem, .timeControl:
            break
        }
    }

    mutating func perform(_ actions: [AppPolicy.Action], at now: Instant) {
        guard let app else { return }
        for action in actions {
            switch action {
            case .note(let note): log(.appNoted(policy: app.name, note: note))
            case .decide(let decision, let reason):
                log(.appDecided(policy: app.name, decision: decision, reason: reason))
            case .detachLayer: detachLayer()
            case .attachLayer: attachLayer(at: now)
            case .setVideoWanted(let isWanted):
                call(isWanted ? "takeVideoUp" : "letVideoGo")
                player.setVideoWanted(isWanted, at: now)
            case .pause:
                call("pause")
                player.pause(at: now)
            case .play:
                call("play")
                player.play(at: now)
            case .replace(let rendition): replaceCurrent(with: rendition, at: now)
            case .preload(let rendition): preload(rendition, at: now)
            case .remake:
                guard let current = player.current, let rendition = sources[current.id]?.rendition else { continue }
                replaceCurrent(with: rendition, at: now)
            case .beginTask:
                lifecycle.beginTask(at: now)
                log(.backgroundTaskBegan(policy: app.name))
            case .endTask:
                lifecycle.endTask()
                log(.backgroundTaskEnded(policy: app.name))
            }
        }
    }
}

extension PlayerNotice {
    /// Something whose changes come in no fixed order among those of others at the same moment.
    fileprivate enum Subject { case status, timeControl, currentItem }

    /// What it is a change of; nil where its order is fixed.
    fileprivate var subject: Subject? {
        switch self {
        case .itemReady: .status
        case .timeControl: .timeControl
        case .currentItem: .currentItem
        case .itemFailed, .itemShowsFailure, .itemPlayedToEnd, .itemFailedToPlayToEnd, .itemStalled, .itemTimeJumped,
            .seekEnded:
            nil
        }
    }
}
