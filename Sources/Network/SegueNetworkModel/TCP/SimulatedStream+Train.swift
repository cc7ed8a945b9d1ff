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
        var preceding: Sender.Transmission?
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
    fileprivate var steady: (first: Int, end: Int, transmissionOffset: Int, preceding: Transmission?)? {
        guard mode == .open, overtaking == 0, reorderingEnds == nil, beforeTimeout == nil, lostHead == lost.count,
            !unsent.isFinishing, underWay == states.indices.count
        else { return nil }
        let (first, end) = (states.startIndex, states.endIndex)
        let offset = transmissions.endIndex - end
        let preceding = first + offset - transmissions.startIndex
        guard preceding == 0 || preceding == 1, greatestArrived < first + offset, probe ?? -1 < first + offset,
            (first..<end).allSatisfy({ latest[$0] == $0 + offset })
        else { return nil }
        return (first, end, offset, preceding == 1 ? transmissions[first + offset - 1] : nil)
    }

    /// The time of a segment's transmission in nanoseconds, and the number of bytes up to its end.
    func car(_ segment: Int) -> (sent: Int64, end: Int) {
        (transmissions[latest[segment]].at.nanoseconds, ends[segment])
    }

    /// The number of bytes in all sent segments.
    var lastEnd: Int { ends.isEmpty ? dropped : ends[ends.endIndex - 1] }

    /// Forgets the segments, which a train remembers.
    mutating func empty() {
        (states, latest, ends, transmissions) = (SlidingArray(), SlidingArray(), SlidingArray(), SlidingArray())
    }

    /// Restores the segments from a train.
    ///
    /// - Parameters:
    ///   - steady: The segments in flight.
    ///   - sent: The time of a segment's transmission, in nanoseconds.
    ///   - carried: The number of bytes up to a segment's end.
    mutating func resume(_ steady: SimulatedStream.Steady, sent: (Int) -> Int64, end carried: (Int) -> Int) {
        (states, latest, ends) = (
            SlidingArray(from: steady.first), SlidingArray(from: steady.first), SlidingArray(from: steady.first)
        )
        let begin = steady.first + steady.transmissionOffset
        transmissions = SlidingArray(from: steady.preceding == nil ? begin : begin - 1)
        if let preceding = steady.preceding { transmissions.append(preceding) }
        for segment in steady.first..<steady.end {
            states.append(.underWay)
            latest.append(segment + steady.transmissionOffset)
            ends.append(carried(segment))
            transmissions.append(Transmission(segment: segment, at: Instant(nanoseconds: sent(segment))))
        }
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
