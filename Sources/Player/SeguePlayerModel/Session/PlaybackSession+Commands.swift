internal import SegueBase
internal import SegueEvents

/// Commands of the user and the device.
extension PlaybackSession {
    /// Carries out a command, if the policy can run on the platform.
    mutating func carryOut(_ command: SessionCommand, at now: Instant) {
        guard !isUnavailable else {
            guard case .open = command, let app = app?.profile else { return }
            let reason = "it needs a \(app.player.rawValue), which \(device.platform.name) has not"
            return log(.appUnavailable(policy: app.name, reason: reason))
        }
        switch command {
        case .open(let addresses):
            for address in addresses { insert(address, after: nil, at: now) }
        case .insert(let address, let place):
            call("insert")
            insert(address, after: place, at: now)
        case .insertItem(let item): insert(item, at: now)
        case .insertAgain(let id, let place):
            call("insert")
            guard let item = player.item(id) else { return }
            player.insert(item, after: place, at: now)
        case .remove(let id):
            call("remove")
            removeFollowers(of: id, at: now)
            player.remove(id, at: now)
        case .removeAll:
            call("removeAllItems")
            player.removeAll(at: now)
        case .advance:
            call("advanceToNextItem")
            leaveToFollower(at: now)
            player.advanceToNextItem(at: now)
        case .play:
            userSets("play", isPlaying: true, at: now)
            player.play(at: now)
        case .pause:
            userSets("pause", isPlaying: false, at: now)
            player.pause(at: now)
        case .setRate(let rate):
            userSets("setRate", isPlaying: rate > 0, at: now)
            player.setRate(rate, at: now)
        case .playImmediately:
            userSets("playImmediately", isPlaying: true, at: now)
            player.playImmediately(at: now)
        case .setDefaultRate(let rate):
            call("setDefaultRate")
            player.settings.defaultRate = max(0, rate)
        case .seek(let target, let before, let after):
            call("seek")
            player.seek(to: target, toleranceBefore: before, toleranceAfter: after, at: now)
        case .scan(let rate):
            call("scan")
            player.scan(rate: rate, at: now)
        case .endScan:
            call("endScan")
            player.endScan(at: now)
        case .cancelSeeks:
            call("cancelPendingSeeks")
            player.cancelSeeks(at: now)
        case .setActionAtItemEnd(let action):
            call("setActionAtItemEnd")
            player.settings.actionAtItemEnd = action
        case .setWaitsToMinimizeStalls(let waits):
            call("setAutomaticallyWaitsToMinimizeStalling")
            player.set(at: now) { $0.waitsToMinimizeStalls = waits }
        case .setPeakBitrate(let bitrate):
            call("setPreferredPeakBitRate")
            player.set(at: now) { $0.peakBitrate = max(0, bitrate) }
        case .setForwardBuffer(let duration):
            call("setPreferredForwardBufferDuration")
            player.set(at: now) { $0.forwardBuffer = max(.zero, duration) }
        case .setVideoEnabled(let isEnabled):
            call("setVideoEnabled")
            player.setVideoEnabled(isEnabled, at: now)
        case .setVideoWanted(let isWanted): setVideoWanted(isWanted, at: now)
        case .beginTask: beginTask(of: "app", at: now)
        case .endTask: endTask(of: "app")
        case .detachLayer:
            call("detachLayer")
            device.detachLayer()
        case .attachLayer:
            call("attachLayer")
            attachLayer(at: now)
        case .goHome: device.lifecycle.leave(byLock: false, at: now)
        case .lock: device.lifecycle.leave(byLock: true, at: now)
        case .comeBack: device.lifecycle.comeBack(at: now)
        case .interrupt: interrupt(at: now)
        case .endInterruption(let shouldResume): endInterruption(shouldResume: shouldResume, at: now)
        case .changeRoute(let next): changeRoute(to: next, at: now)
        case .resetMediaServices: resetMediaServices(at: now)
        }
    }

    private mutating func insert(_ address: ItemAddress, after place: ItemID?, at now: Instant) {
        guard let url = address.url(.full, as: app?.profile.opens ?? .single) else { return }
        let item = player.makeItem(url: url)
        sources.add(item.id, address, .full)
        player.insert(item, after: place, at: now)
    }

    mutating func setVideoWanted(_ isWanted: Bool, at now: Instant) {
        call(isWanted ? "takeVideoUp" : "letVideoGo")
        player.setVideoWanted(isWanted, at: now)
    }

    mutating func beginTask(of app: String, at now: Instant) {
        let (lastHeard, isHeard) = (player.trail.lastSounding(at: now), player.trail.isSounding)
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
        call(name)
        app?.policy.userSet(isPlaying: isPlaying)
    }
}
