internal import Timeline

/// The server's end of a connection: which segment leaves when, and what is sent again.
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

    // The response that is being sent.
    private var headBytes = 0
    private var bodyBytes = 0
    private var states: [State] = []
    private var latest: [Int] = []
    private var transmissions: [Transmission] = []
    private var nextUnsent = 0
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

    /// A sender on a connection whose handshake took so long.
    init(initialWindow: Int, receiveWindow: Int, roundTrip: Duration) {
        congestion = Congestion(initialWindow: initialWindow, greatestWindow: receiveWindow / Self.segmentSize)
        smoothed = max(roundTrip.wholeNanoseconds, 1)
        least = smoothed
        variation = smoothed / 2
    }

    /// How many segments the response has, the first being its head alone.
    var segmentCount: Int { states.count }

    /// The segment that a transmission carried.
    func segment(of transmission: Int) -> Int { transmissions[transmission].segment }

    /// How many bytes of the response a transmission carries.
    func size(ofTransmission transmission: Int) -> Int {
        let segment = transmissions[transmission].segment
        return segment == 0 ? headBytes : min(Self.segmentSize, bodyBytes - (segment - 1) * Self.segmentSize)
    }

    /// How many bytes of the response the first segments carry together.
    func bytes(inSegments count: Int) -> Int {
        count == 0 ? 0 : headBytes + min(bodyBytes, (count - 1) * Self.segmentSize)
    }

    private var timeout: Int64 { smoothed + max(4 * variation, Self.leastTimeout) }

    /// Begins a response.
    mutating func begin(headBytes: Int, bodyBytes: Int, at now: Instant) {
        congestion.rest(for: now - progress, timeout: .nanoseconds(timeout))
        self.headBytes = headBytes
        self.bodyBytes = bodyBytes
        let count = 1 + (bodyBytes + Self.segmentSize - 1) / Self.segmentSize
        states = Array(repeating: .unsent, count: count)
        latest = Array(repeating: -1, count: count)
        transmissions = []
        transmissions.reserveCapacity(count)
        (nextUnsent, lost, lostHead, oldestOpen, underWay, mostUnderWay) = (0, [], 0, 0, 0, 0)
        (greatestArrived, recoveryEnd, reorderingEnds, backoff, hasProbed) = (-1, 0, nil, 0, false)
        beforeTimeout = nil
        progress = now
    }

    /// Takes the next transmission that the window allows.
    mutating func next(at now: Instant) -> Int? {
        guard underWay < max(1, Int(congestion.window)) else { return nil }
        while lostHead < lost.count {
            defer { lostHead += 1 }
            if states[lost[lostHead]] == .lost { return transmit(lost[lostHead], at: now) }
        }
        guard nextUnsent < states.count else { return nil }
        defer { nextUnsent += 1 }
        return transmit(nextUnsent, at: now)
    }

    private mutating func transmit(_ segment: Int, at now: Instant) -> Int {
        if underWay == 0 { progress = now }
        if states[segment] != .underWay { underWay += 1 }
        mostUnderWay = max(mostUnderWay, underWay)
        states[segment] = .underWay
        latest[segment] = transmissions.count
        transmissions.append(Transmission(segment: segment, at: now))
        return transmissions.count - 1
    }

    /// The receiver says that these transmissions have come.
    mutating func acknowledge(_ arrived: ArraySlice<Int>, at now: Instant) {
        var count = 0
        for transmission in arrived {
            greatestArrived = max(greatestArrived, transmission)
            let segment = transmissions[transmission].segment
            guard states[segment] != .arrived else { continue }
            if states[segment] == .underWay { underWay -= 1 }
            states[segment] = .arrived
            count += 1
        }
        guard count > 0 else { return }
        undoTimeout(ifProvenBy: arrived)
        let roundTrip = max(1, (now - transmissions[greatestArrived].at).wholeNanoseconds)
        measure(roundTrip)
        (progress, backoff, hasProbed) = (now, 0, false)
        let isRecovering = greatestArrived < recoveryEnd
        if !isRecovering {
            congestion.acknowledge(
                count,
                transmission: greatestArrived,
                next: transmissions.count,
                roundTrip: roundTrip,
                least: least,
                isLimited: congestion.window < Double(2 * mostUnderWay),
                at: now
            )
        }
        findLosses(at: now)
    }

    /// Takes a timeout back when what was sent before it has come after all (as RFC 4015 does by timestamps).
    private mutating func undoTimeout(ifProvenBy arrived: ArraySlice<Int>) {
        guard let former = beforeTimeout, let first = arrived.first else { return }
        beforeTimeout = nil
        guard first < recoveryEnd else { return }
        congestion = former
        recoveryEnd = 0
        for segment in lost[lostHead...] where states[segment] == .lost {
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
            guard states[transmission.segment] == .underWay, latest[transmission.segment] == oldestOpen else {
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
                recoveryEnd = transmissions.count
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
            if nextUnsent < states.count {
                nextUnsent += 1
                return transmit(nextUnsent - 1, at: now)
            }
            return states.lastIndex(of: .underWay).map { transmit($0, at: now) }
        }
        for segment in 0..<nextUnsent where states[segment] == .underWay { giveUp(segment) }
        // A flight shrinks the window once, however often its timeout comes.
        if backoff == 0 {
            beforeTimeout = congestion
            congestion.timeOut()
            recoveryEnd = transmissions.count
        }
        backoff += 1
        progress = now
        return nil
    }
}
