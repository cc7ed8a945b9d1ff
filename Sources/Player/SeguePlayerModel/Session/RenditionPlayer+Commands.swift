internal import SegueBase

/// Commands of the app that concern nothing but the player.
extension RenditionPlayer {
    /// Changes the queue, except for the insertion of an outside app's item.
    mutating func changeQueue(_ command: SessionCommand, keepsSpare: Bool, at now: Instant) {
        switch command {
        case .open(let addresses):
            for address in addresses { insert(address, after: nil, at: now) }
        case .insert(let address, let place):
            call("insert")
            insert(address, after: place, at: now)
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
            settleSpare(keeps: keepsSpare, at: now)
            player.advanceToNextItem(at: now)
        default: preconditionFailure("\(command) is no command of the queue")
        }
    }

    /// Moves the playhead.
    mutating func movePlayhead(_ command: SessionCommand, at now: Instant) {
        switch command {
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
        default: preconditionFailure("\(command) is no command of the playhead")
        }
    }

    /// Changes a setting of the player or of its item.
    mutating func changeSetting(_ command: SessionCommand, at now: Instant) {
        switch command {
        case .setDefaultRate(let rate):
            call("setDefaultRate")
            player.settings.defaultRate = max(0, rate)
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
        case .setVideoWanted(let isWanted):
            call(isWanted ? "selectVideo" : "deselectVideo")
            player.setVideoWanted(isWanted, at: now)
        default: preconditionFailure("\(command) is no setting")
        }
    }
}
