internal import SegueBase

/// What a sender does when nothing comes: it waits a little for what was overtaken, probes the tail, begins again.
extension Sender {
    /// When ``expire(at:)`` must be called unless something comes first; nil when nothing is under way.
    var deadline: Instant? {
        guard underWay > 0 else { return nil }
        if let reorderingEnds { return reorderingEnds + .nanoseconds(RoundTrip.leastTimer) }
        let wait =
            canProbe ? roundTrip.probeTimeout(isAlone: underWay == 1) : roundTrip.timeout(after: backoff)
        return Instant(nanoseconds: progress.nanoseconds + wait)
    }

    /// What ``deadline`` is not before, in nanoseconds; nil where that is not known at once.
    var leastDeadline: Int64? {
        guard underWay > 0, reorderingEnds == nil else { return nil }
        return progress.nanoseconds + roundTrip.leastWait
    }

    private var canProbe: Bool { !hasProbed && backoff == 0 && mode == .open && overtaking == 0 }

    /// The deadline has come.
    ///
    /// - Returns: A transmission that goes out whatever the window says.
    mutating func expire(at now: Instant) -> Int? {
        if reorderingEnds != nil {
            if findLosses(at: now), mode == .recovery { congestion.recover(1, underWay: underWay, isGood: false) }
            return nil
        }
        if canProbe {
            hasProbed = true
            progress = now
            if hasUnsent, hasRoomAhead { return transmitNew(at: now) }
            probe = states.indices.last { states[$0] == .underWay }.map { transmit($0, at: now) }
            return probe
        }
        for segment in states.indices where states[segment] == .underWay { giveUp(segment) }
        // A flight shrinks the window once, however often its timeout comes.
        let isNews = backoff == 0 && mode != .recovery
        if isNews { beforeTimeout = (congestion, transmissions.endIndex) }
        congestion.timeOut(isNews: isNews, underWay: underWay)
        (mode, recoveryEnd) = (.loss, states.endIndex)
        backoff += 1
        progress = now
        return nil
    }
}
