internal import SegueBase
internal import SegueEvents

/// Notices to the app, and its reactions.
extension PlaybackSession {
    private var facts: AppPolicy.Facts {
        let current = renditions.player.current
        return AppPolicy.Facts(
            rate: renditions.player.rate,
            isPaused: renditions.player.timeControl == .paused,
            item: current?.id,
            tracks: current?.tracks,
            isFailed: current?.isFailed ?? false,
            hasBackgroundRendition: current.flatMap { renditions.sources.address(of: $0.id)?.background } != nil,
            isPreloadedReady: renditions.spare?.status == .readyToPlay
        )
    }

    /// Switches to a rendition for one of the app's rules.
    mutating func switchRendition(to rendition: ItemRendition, at now: Instant) {
        let facts = self.facts
        perform(app?.policy.switchRendition(to: rendition, facts), at: now)
    }

    /// Notifies the app.
    ///
    /// A suspended app receives the notice when it resumes.
    mutating func notifyApp(_ news: AppNews, at now: Instant) {
        guard !device.lifecycle.isSuspended else {
            app?.heldNews.append(news)
            newsForOutside?.append(news)
            return
        }
        if newsForOutside != nil { renditions.player.context.effects.append(.told(news)) }
        guard app != nil, !device.lifecycle.isTerminated else { return }
        let facts = self.facts
        switch news {
        case .step(let step): perform(app?.policy.handle(step, facts), at: now)
        case .notice(let notice): answer(notice, facts, at: now)
        }
    }

    /// Runs the policy's reaction to a notice.
    private mutating func answer(_ notice: PlayerNotice, _ facts: AppPolicy.Facts, at now: Instant) {
        switch notice {
        case .itemReady(let item) where item == renditions.player.current?.id:
            perform(app?.policy.handleOutcome(isReady: true, facts), at: now)
        case .itemReady(let item) where renditions.player.item(item)?.companion == renditions.player.current?.id:
            perform(app?.policy.handlePreloaded(), at: now)
        case .itemFailed(let item) where renditions.player.item(item)?.companion != nil:
            renditions.player.remove(item, at: now)
        case .itemFailed(let item) where item == renditions.player.current?.id || renditions.player.current == nil:
            let isRejected = renditions.player.item(item)?.error?.domain == .platform
            perform(app?.policy.handleOutcome(isReady: false, isRejected: isRejected, facts), at: now)
        case .itemShowsFailure(let item) where item == renditions.player.current?.id:
            perform(app?.policy.handleOutcome(isReady: false, facts), at: now)
        case .timeControl(.playing) where renditions.player.current?.status == .readyToPlay:
            perform(app?.policy.handlePlaying(), at: now)
        case .itemReady, .itemFailed, .itemShowsFailure, .itemPlayedToEnd, .itemFailedToPlayToEnd, .itemStalled,
            .itemTimeJumped, .seekEnded, .currentItem, .timeControl:
            break
        }
    }

    /// Carries out the actions of the app's policy.
    mutating func perform(_ actions: [AppPolicy.Action]?, at now: Instant) {
        guard let name = app?.profile.name else { return }
        for action in actions ?? [] {
            // The rest of the app's code does not run after a crash.
            guard !device.lifecycle.isTerminated else { return }
            switch action {
            case .note(let note): log(.appNoted(policy: name, note: note))
            case .decide(let decision, let reason):
                log(.appDecided(policy: name, decision: decision, reason: reason))
            case .detachLayer: detachLayer(at: now)
            case .attachLayer: attachLayer(at: now)
            case .setVideoWanted(let isWanted): renditions.setVideoWanted(isWanted, at: now)
            case .pause: renditions.call("pause") { $0.pause(at: now) }
            case .play:
                device.noteCall(isPlaying: true)
                renditions.call("play") { $0.play(at: now) }
            case .replace(let rendition): note(remade: renditions.replaceCurrent(with: rendition, at: now))
            case .preload(let rendition): renditions.preload(rendition, at: now)
            case .remake: note(remade: renditions.remakeCurrent(at: now))
            case .remakeRest: renditions.remakeFailedRest(at: now)
            case .beginTask: beginTask(of: name, at: now)
            case .endTask: endTask(of: name)
            }
        }
    }
}
