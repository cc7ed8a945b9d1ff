internal import SegueBase
internal import SegueEvents

/// Commands of the user and the device.
extension PlaybackSession {
    /// Carries out a command, if the policy can run on the platform.
    mutating func carryOut(_ command: SessionCommand, at now: Instant) {
        guard !isUnavailable else { return refuse(command) }
        // The code of a terminated app makes no calls.
        guard !device.lifecycle.isTerminated || command.isOfDevice else { return }
        switch command {
        case .open(let addresses): for address in addresses { renditions.insert(address, after: nil, at: now) }
        case .insert(let address, let place):
            renditions.call("insert")
            renditions.insert(address, after: place, at: now)
        case .insertItem(let item): note(remade: renditions.insert(item, at: now))
        case .insertAgain(let id, let place):
            renditions.call("insert") { if let item = $0.item(id) { $0.insert(item, after: place, at: now) } }
        case .remove(let id): renditions.remove(id, at: now)
        case .removeAll: renditions.call("removeAllItems") { $0.removeAll(at: now) }
        // An app outside of the session advances to the item that it has preloaded, the user to the next title.
        case .advance: renditions.advance(keepsSpare: newsForOutside != nil, at: now)
        case .play: userCalls("play", isPlaying: true, at: now) { $0.play(at: now) }
        case .pause: userCalls("pause", isPlaying: false, at: now) { $0.pause(at: now) }
        case .setRate(let rate): userCalls("setRate", isPlaying: rate > 0, at: now) { $0.setRate(rate, at: now) }
        case .playImmediately: userCalls("playImmediately", isPlaying: true, at: now) { $0.playImmediately(at: now) }
        case .seek(let target, let before, let after):
            renditions.call("seek") { $0.seek(to: target, toleranceBefore: before, toleranceAfter: after, at: now) }
        case .scan(let rate): renditions.call("scan") { $0.scan(rate: rate, at: now) }
        case .endScan: renditions.call("endScan") { $0.endScan(at: now) }
        case .cancelSeeks: renditions.call("cancelPendingSeeks") { $0.cancelSeeks(at: now) }
        case .setDefaultRate(let rate): renditions.call("setDefaultRate") { $0.settings.defaultRate = max(0, rate) }
        case .setActionAtItemEnd(let action):
            renditions.call("setActionAtItemEnd") { $0.settings.actionAtItemEnd = action }
        case .setWaitsToMinimizeStalls(let waits):
            renditions.set("setAutomaticallyWaitsToMinimizeStalling", at: now) { $0.waitsToMinimizeStalls = waits }
        case .setPeakBitrate(let bitrate):
            renditions.set("setPreferredPeakBitRate", at: now) { $0.peakBitrate = max(0, bitrate) }
        case .setForwardBuffer(let duration):
            renditions.set("setPreferredForwardBufferDuration", at: now) { $0.forwardBuffer = max(.zero, duration) }
        case .setVideoEnabled(let isEnabled):
            renditions.call("setVideoEnabled") { $0.setVideoEnabled(isEnabled, at: now) }
        case .setVideoWanted(let isWanted): renditions.setVideoWanted(isWanted, at: now)
        case .beginTask: beginTask(of: "app", at: now)
        case .endTask: endTask(of: "app")
        case .detachLayer:
            renditions.call("detachLayer")
            detachLayer(at: now)
        case .attachLayer:
            renditions.call("attachLayer")
            attachLayer(at: now)
        case .goHome: leave(byLock: false, at: now)
        case .lock: leave(byLock: true, at: now)
        case .comeBack: device.lifecycle.comeBack(at: now)
        case .interrupt: interrupt(at: now)
        case .endInterruption(let shouldResume): endInterruption(shouldResume: shouldResume, at: now)
        case .changeRoute(let next): changeRoute(to: next, at: now)
        case .remote(let command, let sender): handle(command, from: sender, at: now)
        case .slide(let target): renditions.slide(to: target, at: now)
        case .resetMediaServices: resetMediaServices(at: now)
        case .setSilentSwitch(let isSilent): setSilentSwitch(isSilent)
        case .beginOtherAudio(let mixes): beginOtherAudio(mixes ? .mixable : .nonmixable, at: now)
        case .endOtherAudio(let shouldResume): endOtherAudio(shouldResume: shouldResume, at: now)
        case .setAudioSession(let settings): setAudioSession(settings)
        case .setAudioSessionActive(let isActive): setAudioSessionActive(isActive, at: now)
        }
    }

    /// Reports that the policy cannot run, instead of the first command.
    private mutating func refuse(_ command: SessionCommand) {
        guard case .open = command, let app = app?.profile else { return }
        let reason = "it needs a \(app.player.rawValue), which \(device.platform.name) does not have"
        log(.appUnavailable(policy: app.name, reason: reason))
    }

    /// Records that a movie player was recreated for an item, if it was.
    mutating func note(remade item: ItemID?) {
        if let item { device.remake(with: item) }
    }

    mutating func beginTask(of app: String, at now: Instant) {
        let (lastHeard, isHeard) = (
            renditions.player.trail.lastAudioTime(at: now), renditions.player.trail.isPlayingAudio
        )
        guard device.lifecycle.beginTask(at: now, lastHeard: lastHeard, isHeard: isHeard) else { return }
        log(.backgroundTaskBegan(policy: app))
    }

    mutating func endTask(of app: String) {
        device.lifecycle.endTask()
        log(.backgroundTaskEnded(policy: app))
    }

    /// Carries out a play or pause command of the user.
    private mutating func userCalls(
        _ name: String,
        isPlaying: Bool,
        at now: Instant,
        _ body: (inout QueuePlayer) -> Void
    ) {
        if isPlaying, firstWish == nil { firstWish = now }
        device.noteCall(isPlaying: isPlaying)
        renditions.call(name)
        app?.policy.userSet(isPlaying: isPlaying)
        body(&renditions.player)
        perform(app?.policy.handleUserCommand(), at: now)
    }
}
