internal import SegueBase
internal import SegueEvents

/// Commands of the user and the device.
extension PlaybackSession {
    /// Carries out a command, if the policy can run on the platform.
    mutating func carryOut(_ command: SessionCommand, at now: Instant) {
        guard !isUnavailable else {
            guard case .open = command, let app = app?.profile else { return }
            let reason = "it needs a \(app.player.rawValue), which \(device.platform.name) does not have"
            return log(.appUnavailable(policy: app.name, reason: reason))
        }
        switch command {
        case .insertItem(let item): note(remade: renditions.insert(item, at: now))
        case .open, .insert, .insertAgain, .remove, .removeAll, .advance:
            // An app outside of the session advances to the item that it has preloaded, the user to the next title.
            renditions.changeQueue(command, keepsSpare: newsForOutside != nil, at: now)
        case .play, .pause, .setRate, .playImmediately: setRate(command, at: now)
        case .seek, .scan, .endScan, .cancelSeeks: renditions.movePlayhead(command, at: now)
        case .setDefaultRate, .setActionAtItemEnd, .setWaitsToMinimizeStalls, .setPeakBitrate, .setForwardBuffer,
            .setVideoEnabled, .setVideoWanted:
            renditions.changeSetting(command, at: now)
        case .beginTask: beginTask(of: "app", at: now)
        case .endTask: endTask(of: "app")
        case .detachLayer:
            renditions.call("detachLayer")
            device.detachLayer()
        case .attachLayer:
            renditions.call("attachLayer")
            attachLayer(at: now)
        case .goHome: leave(byLock: false, at: now)
        case .lock: leave(byLock: true, at: now)
        case .comeBack: device.lifecycle.comeBack(at: now)
        case .interrupt: interrupt(at: now)
        case .endInterruption(let shouldResume): endInterruption(shouldResume: shouldResume, at: now)
        case .changeRoute(let next): changeRoute(to: next, at: now)
        case .resetMediaServices: resetMediaServices(at: now)
        case .setSilentSwitch(let isSilent): setSilentSwitch(isSilent)
        case .beginOtherAudio(let mixes): beginOtherAudio(mixes ? .mixable : .nonmixable, at: now)
        case .endOtherAudio(let shouldResume): endOtherAudio(shouldResume: shouldResume, at: now)
        case .setAudioSession(let settings): setAudioSession(settings)
        case .setAudioSessionActive(let isActive): setAudioSessionActive(isActive, at: now)
        }
    }

    /// Carries out a play or pause command of the user.
    private mutating func setRate(_ command: SessionCommand, at now: Instant) {
        switch command {
        case .play:
            userSets("play", isPlaying: true, at: now)
            renditions.player.play(at: now)
        case .pause:
            userSets("pause", isPlaying: false, at: now)
            renditions.player.pause(at: now)
        case .setRate(let rate):
            userSets("setRate", isPlaying: rate > 0, at: now)
            renditions.player.setRate(rate, at: now)
        case .playImmediately:
            userSets("playImmediately", isPlaying: true, at: now)
            renditions.player.playImmediately(at: now)
        default: preconditionFailure("\(command) does not set the rate")
        }
        perform(app?.policy.handleUserCommand(), at: now)
    }

    /// Records that a movie player was recreated for an item, if it was.
    mutating func note(remade item: ItemID?) {
        if let item { device.remake(with: item) }
    }

    mutating func beginTask(of app: String, at now: Instant) {
        let (lastHeard, isHeard) = (renditions.player.trail.lastSounding(at: now), renditions.player.trail.isSounding)
        guard device.lifecycle.beginTask(at: now, lastHeard: lastHeard, isHeard: isHeard) else { return }
        log(.backgroundTaskBegan(policy: app))
    }

    mutating func endTask(of app: String) {
        device.lifecycle.endTask()
        log(.backgroundTaskEnded(policy: app))
    }

    /// Records a play or pause command of the user.
    private mutating func userSets(_ name: String, isPlaying: Bool, at now: Instant) {
        if isPlaying, firstWish == nil { firstWish = now }
        renditions.call(name)
        app?.policy.userSet(isPlaying: isPlaying)
    }
}
