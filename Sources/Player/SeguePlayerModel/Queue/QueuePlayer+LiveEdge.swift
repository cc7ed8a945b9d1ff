internal import SegueBase
internal import SegueEvents

/// The distance of the current item from the live edge.
extension QueuePlayer {
    /// Catches up with the live edge, as the platform does, and returns whether the playhead jumped.
    mutating func followLiveEdge() -> Bool {
        switch profile.playback.liveCatchUp {
        case .none: return false
        case .jumps: return jumpToWanted()
        case .speedsUp:
            guard playhead.clock != nil, let due = liveSpeed.nextLook, due <= context.now else { return false }
            if lookAtLiveEdge() {
                stop(RateReason.liveCatchUp)
                runStage()
            }
            return false
        }
    }

    /// Jumps to the target position if the item is too far behind.
    private mutating func jumpToWanted() -> Bool {
        guard rate > 0, !isHeldByPlatform, !interstitials.isOn, !scanner.isOn, let item = queue.items.first,
            item.status == .readyToPlay, item.seek == nil, let wanted = item.wantedPosition(at: context.now),
            wanted - item.position > profile.playback.liveLag
        else { return false }
        stop(RateReason.liveCatchUp)
        queue.items[0].leap(to: wanted, &context)
        interstitials.moved(in: queue.items[0], from: item.position)
        return true
    }

    /// Updates the speed, on platforms that catch up by speed: only at normal rate, and only if the server states a
    /// hold-back and dates (androidx/media, HlsMediaSource).
    ///
    /// Returns whether it has changed.
    @discardableResult
    mutating func lookAtLiveEdge() -> Bool {
        guard profile.playback.liveCatchUp == .speedsUp, let stage else { return false }
        let edge = rate == 1 && !interstitials.isOn ? stage.client.liveEdge(at: context.now) : nil
        let lag = edge.flatMap { $0.isStated ? stage.aim.lag(of: stage.position, behind: $0) : nil }
        guard liveSpeed.look(lag: lag, ahead: stage.bufferedEnd - stage.position, at: context.now) else { return false }
        context.log(.playerRate(rate: liveSpeed.factor, reason: RateReason.liveCatchUp))
        return true
    }
}
