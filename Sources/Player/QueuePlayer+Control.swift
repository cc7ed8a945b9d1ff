internal import Events
internal import Timeline

/// Whether the player plays, and what it waits for.
extension QueuePlayer {

    /// Brings the player to the state that its rate, its item and the platform allow.
    mutating func control(at now: Instant, isServiceAsked: Bool) -> Bool {
        if rate > 0, !isHeldByPlatform, let id = items.first?.id, !items[0].isFailed, gate.item != id {
            gate = .requested(id)
            startRequests.append(StartRequest(item: id, isContinuation: follows))
        }
        let wanted = wantedTimeControl(at: now)
        // The media service may answer at once; until it was asked there is nothing to announce.
        if wanted == .waiting(.mediaService), !isServiceAsked { return false }
        let runs = wanted == .playing && !(items.first?.hasEnded ?? false)
        guard wanted != timeControl || runs != (clock != nil) else { return false }
        if runs {
            if clock == nil { startClock(at: now) }
        } else {
            stopClock(at: now, reason: wanted.waitingFor.isEmpty ? wanted.name : wanted.waitingFor)
        }
        guard wanted != timeControl else { return false }
        timeControl = wanted
        announceTimeControl()
        return true
    }

    private mutating func announceTimeControl() {
        turn.log(.playerTimeControl(status: timeControl.name, waitingFor: timeControl.waitingFor))
        turn.notify(.timeControl(timeControl))
    }

    private func wantedTimeControl(at now: Instant) -> TimeControl {
        guard rate > 0, !isHeldByPlatform else { return .paused }
        guard !items.isEmpty else { return .waiting(.noItemToPlay) }
        guard !items[0].isFailed else { return .paused }
        if clock != nil || items[0].hasEnded { return .playing }
        if let reason = reasonToWait(for: items[0]) { return .waiting(reason) }
        guard case .open(items[0].id, let from) = gate, from <= now else { return .waiting(.mediaService) }
        return .playing
    }

    /// What loading holds playback up; nil when nothing does.
    private func reasonToWait(for item: PlayerItem) -> WaitingReason? {
        let loading: WaitingReason =
            isStalling || item.client.isSpeedKnown ? .toMinimizeStalls : .evaluatingBufferingRate
        guard item.status == .readyToPlay, item.seek == nil else { return loading }
        if item.isAtEnd { return nil }
        if item.isBufferEmpty { return loading }
        if isImmediate || !waitsToMinimizeStalls { return nil }
        let ahead = item.bufferedEnd - item.position
        // Where nothing more will come, what is there is played.
        let isMoreToCome = !item.isBufferFull && !item.client.isLoadedToEnd && item.client.failure == nil
        if isStalling, ahead < profile.playback.resumesWith, isMoreToCome { return loading }
        return item.isLikelyToKeepUp || item.isBufferFull ? nil : loading
    }
}
