internal import SegueBase

/// What a ``Train`` takes over from a stream, and gives back.
extension SimulatedStream {
    /// A stream in which nothing is missing, by segments: known to have come before `first`, come before `next`, sent
    /// before `end`.
    struct Steady {
        var first: Int
        var next: Int
        var end: Int
        /// What a segment's transmission has as its number, less the segment's.
        let transmissionOffset: Int
        /// Where in the receiver's log a segment is, less its number.
        let logOffset: Int
        /// The transmission before the first segment's, where the sender remembers it.
        var preceding: Sender.Transmission?
    }

    /// What is under way; nil where something is missing, was sent again, or is near its end.
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
    /// The segments under way, where none is missing and the last of the stream is not among them: the first and before
    /// the last, what to add for their transmissions, and the transmission before them.
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

    /// When a segment was sent that is under way, in nanoseconds, and how many bytes it and those before it carry.
    func car(_ segment: Int) -> (sent: Int64, end: Int) {
        (transmissions[latest[segment]].at.nanoseconds, ends[segment])
    }

    /// How many bytes all segments carry that were sent.
    var lastEnd: Int { ends.isEmpty ? dropped : ends[ends.endIndex - 1] }

    /// Forgets the segments, which a train remembers.
    mutating func empty() {
        (states, latest, ends, transmissions) = (SlidingArray(), SlidingArray(), SlidingArray(), SlidingArray())
    }

    /// Remembers again what a train did.
    ///
    /// - Parameters:
    ///   - steady: The segments under way.
    ///   - sent: When each was sent, in nanoseconds.
    ///   - carried: How many bytes it and those before it carry.
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
    /// Forgets its log, which a train remembers.
    mutating func empty() { log = SlidingArray() }

    /// Remembers again what a train did.
    mutating func resume(_ steady: SimulatedStream.Steady) {
        log = SlidingArray(from: steady.first + steady.logOffset)
        for segment in steady.first..<steady.next {
            log.append(Arrival(transmission: segment + steady.transmissionOffset, segment: segment))
        }
        skipAhead()
    }
}
