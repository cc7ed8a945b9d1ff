internal import Timeline

/// The sending end of one direction of a connection: which segment leaves when, and what is sent again.
///
/// Loss is noticed as Linux does: three later transmissions have come, or one that was sent a quarter round trip later
/// (RACK, RFC 8985); else by a tail loss probe, else by the retransmission timeout with its backing off (RFC 6298).
struct Sender {
    /// The bytes of payload in a full segment.
    static let segmentSize = 1448
    private static let leastTimeout: Int64 = 200_000_000

    private enum State: UInt8 { case unsent, underWay, lost, arrived }

    private struct Transmission {
        let segment: Int
        let at: Instant
    }

    private var congestion: Congestion

    // Round trip times in nanoseconds.
    private var smoothed: Int64
    private var variation: Int64
    private var least: Int64

    private var unsent = UnsentBytes()

    // What has been sent.
    private var states = SlidingArray<State>()
    private var latest = SlidingArray<Int>()
    private var ends = SlidingArray<Int>()
    private var transmissions = SlidingArray<Transmission>()
    private var lost: [Int] = []
    private var lostHead = 0
    private var oldestOpen = 0
    private var underWay = 0
    private var mostUnderWay = 0
    private var greatestArrived = -1
    private var recoveryEnd = 0
    private var progress = Instant.zero
    private var reorderingEnds: Instant?
    private var backoff = 0
    private var hasProbed = false
    private var beforeTimeout: Congestion?

    /// How many bytes have been written, sent or not.
    var written: Int { unsent.written }

    /// How many segments the receiver holds that its owner has not taken.
    var held = 0

    /// Whether it stops because the receiver holds too much.
    var isHeldUp: Bool { held > 0 && states.endIndex - states.startIndex + held >= receiveWindow }

    private let receiveWindow: Int

    /// A sender on a connection whose handshake is not done.
    init(initialWindow: Int, receiveWindow: Int) {
        self.receiveWindow = max(1, receiveWindow / Self.segmentSize)
        congestion = Congestion(initialWindow: initialWindow, greatestWindow: receiveWindow / Self.segmentSize)
        (smoothed, least, variation) = (1, 1, 0)
    }

    /// The handshake took so long.
    mutating func measureHandshake(_ roundTrip: Duration) {
        smoothed = max(roundTrip.wholeNanoseconds, 1)
        least = smoothed
        variation = smoothed / 2
    }

    /// How many segments have been sent.
    var sentSegments: Int { states.endIndex }

    /// Whether something waits to be sent for the first time.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// How many bytes wait to be sent for the first time.
    var unsentBytes: Int { unsent.count }

    /// Whether the stream ends with the segments that have been sent.
    var isFinished: Bool { unsent.hasTakenEnd }

    /// How many bytes of the stream the first segments carry together; the last of them is still under way.
    func bytes(inSegments count: Int) -> Int { count == 0 ? 0 : ends[count - 1] }

    /// The segment that a transmission carries, and how many bytes; asked right after it was taken.
    func content(of transmission: Int) -> (segment: Int, bytes: Int) {
        let segment = transmissions[transmission].segment
        return (segment, ends[segment] - (segment > ends.startIndex ? ends[segment - 1] : dropped))
    }

    /// The bytes before the first segment that is remembered.
    private var dropped = 0

    private var timeout: Int64 { smoothed + max(4 * variation, Self.leastTimeout) }

    /// Adds bytes to the stream.
    ///
    /// - Parameters:
    ///   - bytes: How many.
    ///   - endsSegment: Whether the last of them ends a segment, whatever follows.
    ///   - now: When.
    mutating func write(_ bytes: Int, endsSegment: Bool, at now: Instant) {
        guard bytes > 0 else { return }
        if underWay == 0, lostHead == lost.count, !hasUnsent { restart(at: now) }
        unsent.write(bytes, endsSegment: endsSegment)
    }

    /// Ends the stream: with the last bytes if they still wait, else with a segment without any.
    mutating func finish() { unsent.finish() }

    /// A flight begins after all before it has arrived.
    private mutating func restart(at now: Instant) {
        congestion.rest(for: now - progress, timeout: .nanoseconds(timeout))
        forgetSegments(before: states.endIndex)
        transmissions.drop(before: transmissions.endIndex)
        oldestOpen = transmissions.endIndex
        (lost, lostHead, mostUnderWay) = ([], 0, 0)
        (recoveryEnd, reorderingEnds, backoff, hasProbed) = (0, nil, 0, false)
        beforeTimeout = nil
        progress = now
    }

    /// Takes the next transmission that the window allows.
    mutating func next(at now: Instant) -> Int? {
        guard underWay < max(1, Int(congestion.window)) else { return nil }
        while lostHead < lost.count {
            defer { lostHead += 1 }
            if state(of: lost[lostHead]) == .lost { return transmit(lost[lostHead], at: now) }
        }
        if !lost.isEmpty { (lost, lostHead) = ([], 0) }
        guard hasUnsent, states.endIndex - states.startIndex + held < receiveWindow else { return nil }
        return transmitNew(at: now)
    }

    /// Cuts a segment from what waits and sends it.
    private mutating func transmitNew(at now: Instant) -> Int {
        let before = ends.isEmpty ? dropped : ends[ends.endIndex - 1]
        let bytes = unsent.take(Self.segmentSize)
        states.append(.unsent)
        latest.append(-1)
        ends.append(before + bytes)
        return transmit(states.endIndex - 1, at: now)
    }

    private func state(of segment: Int) -> State { segment < states.startIndex ? .arrived : states[segment] }

    private mutating func forgetSegments(before segment: Int) {
        guard segment > ends.startIndex else { return }
        dropped = ends[segment - 1]
        states.drop(before: segment)
        latest.drop(before: segment)
        ends.drop(before: segment)
    }

    private mutating func transmit(_ segment: Int, at now: Instant) -> Int {
        if underWay == 0 { progress = now }
        if states[segment] != .underWay { underWay += 1 }
        mostUnderWay = max(mostUnderWay, underWay)
        states[segment] = .underWay
        latest[segment] = transmissions.endIndex
        transmissions.append(Transmission(segment: segment, at: now))
        return transmissions.endIndex - 1
    }

    /// The receiver says that these transmissions have come.
    ///
    /// - Parameters:
    ///   - log: What has come.
    ///   - news: The part of it that the sender has not seen.
    ///   - now: When.
    mutating func acknowledge(_ log: SlidingArray<Receiver.Arrival>, _ news: Range<Int>, at now: Instant) {
        var count = 0
        for index in news {
            let segment = log[index].segment
            greatestArrived = max(greatestArrived, log[index].transmission)
            guard state(of: segment) != .arrived else { continue }
            if states[segment] == .underWay { underWay -= 1 }
            states[segment] = .arrived
            count += 1
        }
        guard count > 0 else { return }
        undoTimeout(ifProvenBy: log[news.lowerBound].transmission)
        let roundTrip = max(1, (now - transmissions[greatestArrived].at).wholeNanoseconds)
        measure(roundTrip)
        (progress, backoff, hasProbed) = (now, 0, false)
        let isRecovering = greatestArrived < recoveryEnd
        if !isRecovering {
            congestion.acknowledge(
                count,
                transmission: greatestArrived,
                next: transmissions.endIndex,
                roundTrip: roundTrip,
                least: least,
                isLimited: congestion.window < Double(2 * mostUnderWay),
                at: now
            )
        }
        findLosses(at: now)
        forgetArrived()
    }

    private mutating func forgetArrived() {
        var first = states.startIndex
        while first < states.endIndex, states[first] == .arrived { first += 1 }
        forgetSegments(before: first)
        transmissions.drop(before: min(oldestOpen, greatestArrived))
    }

    /// Takes a timeout back when what was sent before it has come after all (as RFC 4015 does by timestamps).
    private mutating func undoTimeout(ifProvenBy first: Int) {
        guard let former = beforeTimeout else { return }
        beforeTimeout = nil
        guard first < recoveryEnd else { return }
        congestion = former
        recoveryEnd = 0
        for segment in lost[lostHead...] where state(of: segment) == .lost {
            states[segment] = .underWay
            underWay += 1
        }
        lostHead = lost.count
    }

    private mutating func measure(_ roundTrip: Int64) {
        least = min(least, roundTrip)
        variation += (abs(roundTrip - smoothed) - variation) / 4
        smoothed += (roundTrip - smoothed) / 8
    }

    private mutating func findLosses(at now: Instant) {
        reorderingEnds = nil
        while oldestOpen < greatestArrived {
            let transmission = transmissions[oldestOpen]
            guard state(of: transmission.segment) == .underWay, latest[transmission.segment] == oldestOpen else {
                oldestOpen += 1
                continue
            }
            let due = transmission.at + .nanoseconds(smoothed + least / 4)
            guard oldestOpen + 3 <= greatestArrived || due <= now else {
                reorderingEnds = due
                return
            }
            giveUp(transmission.segment)
            if oldestOpen >= recoveryEnd {
                congestion.lose()
                recoveryEnd = transmissions.endIndex
            }
            oldestOpen += 1
        }
    }

    private mutating func giveUp(_ segment: Int) {
        states[segment] = .lost
        lost.append(segment)
        underWay -= 1
    }

    /// When ``expire(at:)`` must be called unless something comes first; nil when nothing is under way.
    var deadline: Instant? {
        guard underWay > 0 else { return nil }
        if let reorderingEnds { return reorderingEnds }
        return progress + .nanoseconds(canProbe ? min(probeTimeout, timeout) : timeout << min(backoff, 10))
    }

    private var canProbe: Bool { !hasProbed && backoff == 0 && greatestArrived >= recoveryEnd - 1 }

    private var probeTimeout: Int64 { 2 * smoothed + (underWay == 1 ? Self.leastTimeout : 0) }

    /// The deadline has come.
    ///
    /// - Returns: A transmission that goes out whatever the window says.
    mutating func expire(at now: Instant) -> Int? {
        if reorderingEnds != nil {
            findLosses(at: now)
            return nil
        }
        if canProbe {
            hasProbed = true
            progress = now
            if hasUnsent { return transmitNew(at: now) }
            return states.indices.last { states[$0] == .underWay }.map { transmit($0, at: now) }
        }
        for segment in states.indices where states[segment] == .underWay { giveUp(segment) }
        // A flight shrinks the window once, however often its timeout comes.
        if backoff == 0 {
            beforeTimeout = congestion
            congestion.timeOut()
            recoveryEnd = transmissions.endIndex
        }
        backoff += 1
        progress = now
        return nil
    }
}
