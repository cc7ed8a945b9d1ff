internal import Timeline

/// What the user and the device do.
extension PlaybackSession {
    mutating func changeQueue(_ command: SessionCommand, at now: Instant) {
        switch command {
        case .open(let addresses):
            for address in addresses { insert(address, after: nil, at: now) }
        case .insert(let address, let place):
            call("insert")
            insert(address, after: place, at: now)
        case .insertAgain(let id):
            call("insert")
            guard let item = player.item(id) else { return }
            player.insert(item, at: now)
        case .remove(let id):
            call("remove")
            player.remove(id, at: now)
        case .removeAll:
            call("removeAllItems")
            player.removeAll(at: now)
        case .advance:
            call("advanceToNextItem")
            player.advanceToNextItem(at: now)
        default: break
        }
    }

    private mutating func insert(_ address: ItemAddress, after place: ItemID?, at now: Instant) {
        guard let url = address.url(.full, as: app?.opens ?? .single) else { return }
        let item = player.makeItem(url: url)
        sources[item.id] = (address, .full)
        player.insert(item, after: place, at: now)
    }

    mutating func changeRate(_ command: SessionCommand, at now: Instant) {
        let wishes: Bool
        let name: String
        switch command {
        case .play: (wishes, name) = (true, "play")
        case .setRate(let rate): (wishes, name) = (rate > 0, "setRate")
        case .playImmediately: (wishes, name) = (true, "playImmediately")
        default: (wishes, name) = (false, "pause")
        }
        if wishes, firstWish == nil { firstWish = now }
        call(name)
        policy?.userSet(isPlaying: wishes)
        switch command {
        case .play: player.play(at: now)
        case .setRate(let rate): player.setRate(rate, at: now)
        case .playImmediately: player.playImmediately(at: now)
        default: player.pause(at: now)
        }
    }

    /// Carries out what changes neither queue nor rate.
    mutating func change(_ command: SessionCommand, at now: Instant) {
        switch command {
        case .setDefaultRate(let rate):
            call("setDefaultRate")
            player.defaultRate = max(0, rate)
        case .seek(let target, let before, let after):
            call("seek")
            player.seek(to: target, toleranceBefore: before, toleranceAfter: after, at: now)
        case .cancelSeeks:
            call("cancelPendingSeeks")
            player.cancelSeeks(at: now)
        case .setActionAtItemEnd(let action):
            call("setActionAtItemEnd")
            player.actionAtItemEnd = action
        case .setWaitsToMinimizeStalls(let waits):
            call("setAutomaticallyWaitsToMinimizeStalling")
            player.setWaitsToMinimizeStalls(waits, at: now)
        case .setPeakBitrate(let bitrate):
            call("setPreferredPeakBitRate")
            player.setPeakBitrate(max(0, bitrate), at: now)
        case .setForwardBuffer(let duration):
            call("setPreferredForwardBufferDuration")
            player.setForwardBuffer(max(.zero, duration), at: now)
        case .setVideoEnabled(let isEnabled):
            call("setVideoEnabled")
            player.setVideoEnabled(isEnabled, at: now)
        case .detachLayer:
            call("detachLayer")
            detachLayer()
        case .attachLayer:
            call("attachLayer")
            attachLayer(at: now)
        default: break
        }
    }

    mutating func changeSurroundings(_ command: SessionCommand, at now: Instant) {
        switch command {
        case .goHome: lifecycle.leave(byLock: false, at: now)
        case .lock: lifecycle.leave(byLock: true, at: now)
        case .comeBack: lifecycle.comeBack(at: now)
        case .interrupt: interrupt(at: now)
        case .endInterruption(let shouldResume): endInterruption(shouldResume: shouldResume, at: now)
        case .changeRoute(let next): changeRoute(to: next, at: now)
        case .resetMediaServices: resetMediaServices(at: now)
        default: break
        }
    }
}
