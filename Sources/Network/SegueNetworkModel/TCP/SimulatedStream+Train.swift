internal import SegueBase

/// The state that a ``Train`` takes over from a stream and returns.
extension SimulatedStream {
    /// A stream without missing segments: acknowledged before `first`, arrived before `next`, sent before `end`.
    struct Steady {
        var first: Int
        var next: Int
        var end: Int
        /// The difference between the numbers of a transmission and of its segment.
        let transmissionOffset: Int
        /// The difference between a segment's position in the receiver's log and its number.
        let logOffset: Int
        /// The transmission before the first segment's, if the sender remembers it.
        var preceding: Scoreboard.Transmission?
    }

    /// The stream's state; nil if a segment is missing or was retransmitted, or the end is near.
    var steady: Steady? {
        guard let (first, end, transmissionOffset, preceding) = sender.steady, receiver.hasNoGap else { return nil }
        let logOffset = receiver.log.endIndex - receiver.inOrder
        guard seenLog == first + logOffset, receiver.log.startIndex == seenLog || receiver.log.isEmpty,
            receiver.log.endIndex - seenLog == receiver.inOrder - first, receiver.inOrder <= end,
            (first..<receiver.inOrder).allSatisfy({ segment in
                let arrival = receiver.log[segment + logOffset]
                return arrival.segment == segment && arrival.transmission == segment + transmissionOffset
            })
        else { return nil }
        return Steady(
            first: first,
            next: receiver.inOrder,
            end: end,
            transmissionOffset: transmissionOffset,
            logOffset: logOffset,
            preceding: preceding
        )
    }
}

extension Sender {
    /// The segments in flight, if none is missing and the end is not among them: first, end, the offset of
    /// transmissions, and the transmission before them.
    fileprivate var steady: (first: Int, end: Int, transmissionOffset: Int, preceding: Scoreboard.Transmission?)? {
        guard mode == .open, reorderingEnds == nil, beforeTimeout == nil, !unsent.isFinishing,
            let steady = board.steady, probe ?? -1 < steady.first + steady.transmissionOffset
        else { return nil }
        return steady
    }

    /// The time of a segment's transmission in nanoseconds, and the number of bytes up to its end.
    func car(_ segment: Int) -> (sent: Int64, end: Int) {
        (board.transmissions[board.latest[segment]].at.nanoseconds, board.ends[segment])
    }
}

extension Receiver {
    /// Forgets the log, which a train remembers.
    mutating func empty() { log = SlidingArray() }

    /// Restores the log from a train.
    mutating func resume(_ steady: SimulatedStream.Steady) {
        log = SlidingArray(from: steady.first + steady.logOffset)
        for segment in steady.first..<steady.next {
            log.append(Arrival(transmission: segment + steady.transmissionOffset, segment: segment))
        }
        skipAhead()
    }
}
