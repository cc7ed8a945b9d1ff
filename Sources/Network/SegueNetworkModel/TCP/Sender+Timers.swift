internal import SegueBase

/// The timers of a sender: the reordering timer, the tail loss probe, and the retransmission timeout.
extension Sender {
    /// The next time for ``expire(at:)``; nil if nothing is in flight.
    var deadline: Instant? {
        guard underWay > 0 else { return nil }
        if let reorderingEnds { return reorderingEnds + .nanoseconds(RoundTrip.leastTimer) }
        let wait =
            canProbe ? roundTrip.probeTimeout(isAlone: underWay == 1) : roundTrip.timeout(after: backoff)
        return Instant(nanoseconds: progress.nanoseconds + wait)
    }

    /// A lower bound of ``deadline`` in nanoseconds; nil if it is not immediately known.
    var leastDeadline: Int64? {
        guard underWay > 0, reorderingEnds == nil else { return nil }
        return progress.nanoseconds + roundTrip.leastWait
    }

    private var canProbe: Bool { !hasProbed && backoff == 0 && mode == .open && board.overtaking == 0 }

    /// Processes the deadline.
    ///
    /// - Returns: A transmission that ignores the window.
    mutating func expire(at now: Instant) -> Int? {
        if reorderingEnds != nil {
            if findLosses(at: now), mode == .recovery { congestion.recover(1, underWay: underWay, isGood: false) }
            return nil
        }
        if canProbe {
            hasProbed = true
            progress = now
            if hasUnsent, hasRoomAhead { return transmitNew(at: now) }
            let last = board.states.indices.last { board.states[$0] == .underWay }
            probe = last.map { transmit($0, at: now) }
            return probe
        }
        board.giveUpAll()
        // A flight reduces the window once, even with several timeouts.
        let isNews = backoff == 0 && mode != .recovery
        if isNews { beforeTimeout = (congestion, board.transmissions.endIndex) }
        congestion.timeOut(isNews: isNews, underWay: underWay)
        (mode, recoveryEnd) = (.loss, board.states.endIndex)
        backoff += 1
        progress = now
        return nil
    }
}
