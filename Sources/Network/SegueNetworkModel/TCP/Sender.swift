internal import SegueBase
internal import SegueData

/// The sending end of one direction of a connection: which segment leaves when, and what is sent again.
///
/// Loss is noticed as Linux does: three later segments have come, or one that was sent a quarter round trip later; once
/// something is known to be lost, any that was sent later (RACK, RFC 8985). Else by a tail loss probe, else by the
/// retransmission timeout with its backing off (RFC 6298).
///
/// It belongs to one stream, and is never copied: it is asked many small questions.
struct Sender: ~Copyable {
    /// The bytes of payload in a full segment.
    static let segmentSize = 1448

    enum State: UInt8 { case unsent, underWay, lost, arrived }

    struct Transmission {
        let segment: Int
        let at: Instant
    }

    enum Mode {
        case open
        /// Segments are sent again that others have overtaken.
        case recovery
        /// Segments are sent again after a timeout.
        case loss
    }

    var congestion: Congestion
    var roundTrip = RoundTrip()

    var unsent = UnsentBytes()

    // What has been sent.
    var states = SlidingArray<State>()
    var latest = SlidingArray<Int>()
    var ends = SlidingArray<Int>()
    var transmissions = SlidingArray<Transmission>()
    var lost: [Int] = []
    var lostHead = 0
    private var oldestOpen = 0
    var underWay = 0
    private var mostUnderWay = 0
    private(set) var greatestArrived = -1
    /// How many segments have come behind the first that has not.
    var overtaking = 0
    var mode = Mode.open
    /// The segment before which all must have come for recovery to be over.
    var recoveryEnd = 0
    var progress = Instant.zero
    var reorderingEnds: Instant?
    var backoff = 0
    var hasProbed = false
    /// The transmission of a segment that was sent before, as a probe.
    var probe: Int?
    /// What was so before a timeout, and the first transmission after it.
    var beforeTimeout: (congestion: Congestion, transmission: Int)?

    /// How many bytes have been written, sent or not.
    var written: Int { unsent.written }

    /// How many of them have been sent.
    var sent: Int { unsent.written - unsent.count }

    /// What the receiver has room for.
    var receiveBuffer: ReceiveBuffer

    /// Whether it stops because the receiver holds too much that its owner has not taken.
    var isHeldUp: Bool { hasUnsent && !hasRoomAhead }

    /// A sender on a connection whose handshake is not done.
    init(initialWindow: Int, receiveWindow: ReceiveWindow) {
        receiveBuffer = ReceiveBuffer(receiveWindow)
        congestion = Congestion(initialWindow: initialWindow, greatestWindow: receiveWindow.most / Self.segmentSize)
    }

    /// The handshake took so long.
    mutating func measureHandshake(_ roundTrip: Duration) {
        self.roundTrip = RoundTrip(handshake: roundTrip.wholeNanoseconds)
    }

    /// How many segments have been sent.
    var sentSegments: Int { states.endIndex }

    /// Whether something waits to be sent for the first time.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// Whether something is under way or waits.
    var isBusy: Bool { underWay > 0 || hasUnsent }

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
    private(set) var dropped = 0

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
        congestion.rest(for: now - progress, timeout: .nanoseconds(roundTrip.timeout))
        forgetSegments(before: states.endIndex)
        transmissions.drop(before: transmissions.endIndex)
        oldestOpen = transmissions.endIndex
        (lost, lostHead, mostUnderWay) = ([], 0, 0)
        (mode, overtaking, reorderingEnds, backoff, hasProbed) = (.open, 0, nil, 0, false)
        (probe, beforeTimeout) = (nil, nil)
        progress = now
    }

    /// Takes the next transmission that the window allows.
    mutating func next(at now: Instant) -> Int? {
        guard windowIsOpen else { return nil }
        while lostHead < lost.count {
            defer { lostHead += 1 }
            if state(of: lost[lostHead]) == .lost { return transmit(lost[lostHead], at: now) }
        }
        if !lost.isEmpty { (lost, lostHead) = ([], 0) }
        guard mayTake(afterSegments: states.endIndex - states.startIndex) else { return nil }
        return transmitNew(at: now)
    }

    /// Cuts a segment from what waits and sends it.
    mutating func transmitNew(at now: Instant) -> Int {
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

    mutating func transmit(_ segment: Int, at now: Instant) -> Int {
        if states[segment] != .underWay { leaves(at: now) }
        if mode == .recovery { congestion.send() }
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
        let first = states.startIndex
        let firstSent = latest.isEmpty ? 0 : latest[first]
        var (count, hasProbeHelped) = (0, false)
        for index in news {
            let (transmission, segment) = (log[index].transmission, log[index].segment)
            greatestArrived = max(greatestArrived, transmission)
            guard state(of: segment) != .arrived else { continue }
            if states[segment] == .underWay { underWay -= 1 }
            states[segment] = .arrived
            hasProbeHelped = hasProbeHelped || transmission == probe
            count += 1
        }
        guard count > 0 else { return }
        overtaking += count
        undoTimeout(ifProvenBy: log[news.lowerBound].transmission)
        hears(ofOneSentAt: transmissions[greatestArrived].at.nanoseconds, at: now)
        forgetArrived()
        let hasAdvanced = states.startIndex > first
        // What was sent after the first missing segment's latest transmission does not put its timeout off.
        if hasAdvanced || greatestArrived < firstSent { progress = now }
        if mode != .open, states.startIndex >= recoveryEnd {
            if mode == .recovery { congestion.endRecovery() }
            mode = .open
        }
        if hasProbeHelped, mode == .open {
            congestion.lose()
            congestion.endRecovery()
        }
        let hasLost = findLosses(at: now)
        if mode == .recovery {
            congestion.recover(count, underWay: underWay, isGood: hasAdvanced && !hasLost)
        } else if hasAdvanced {
            widen(by: count, next: transmissions.endIndex, at: now)
        }
        transmissions.drop(before: min(oldestOpen, greatestArrived))
    }

    /// The receiver says that the segments before one have come, where nothing is missing and a train remembers them.
    ///
    /// - Parameters:
    ///   - count: How many of them were not known to have come.
    ///   - transmission: That of the last of them.
    ///   - next: The next transmission's number.
    ///   - sent: When the last of them was sent, in nanoseconds.
    ///   - end: How many bytes of the stream have come with it.
    ///   - now: When.
    mutating func acknowledge(inOrder count: Int, transmission: Int, next: Int, sent: Int64, end: Int, at now: Instant)
    {
        underWay -= count
        greatestArrived = transmission
        oldestOpen = max(oldestOpen, transmission)
        dropped = end
        hears(ofOneSentAt: sent, at: now)
        progress = now
        widen(by: count, next: next, at: now)
    }

    /// Takes the bytes of the next segment that the window allows, where nothing is missing and a train remembers what
    /// was sent.
    ///
    /// - Parameters:
    ///   - count: How many segments are not known to have come.
    ///   - now: When.
    /// - Returns: How many they are; nil where nothing waits or may be sent.
    mutating func next(afterSegments count: Int, at now: Instant) -> Int? {
        guard windowIsOpen, mayTake(afterSegments: count) else { return nil }
        leaves(at: now)
        return unsent.take(Self.segmentSize)
    }

    // The rules that hold however what was sent is remembered.

    /// Whether the congestion window allows one more segment under way.
    private var windowIsOpen: Bool { underWay < max(1, congestion.window) }

    /// Whether something waits, and the receiver has room for it behind so many segments not known to have come.
    private func mayTake(afterSegments count: Int) -> Bool {
        hasUnsent && count < receiveBuffer.segments && hasRoomAhead
    }

    /// Whether the receiver has room for the next segment, be it that its owner takes nothing any more.
    var hasRoomAhead: Bool {
        guard let end = receiveBuffer.end else { return true }
        return sent + unsent.nextCount(Self.segmentSize) <= end
    }

    /// One more segment is under way.
    private mutating func leaves(at now: Instant) {
        if underWay == 0 { progress = now }
        underWay += 1
        mostUnderWay = max(mostUnderWay, underWay)
    }

    /// Something has come that was sent at an instant, in nanoseconds: what was done for want of an answer is over.
    private mutating func hears(ofOneSentAt sent: Int64, at now: Instant) {
        roundTrip.measure(max(1, now.nanoseconds - sent))
        (backoff, hasProbed) = (0, false)
    }

    /// The window grows with segments that have come in order, before the transmission that is next.
    private mutating func widen(by count: Int, next: Int, at now: Instant) {
        congestion.acknowledge(
            count,
            transmission: greatestArrived,
            next: next,
            roundTrip: roundTrip,
            isLimited: congestion.window < 2 * mostUnderWay,
            at: now
        )
    }

    private mutating func forgetArrived() {
        var first = states.startIndex
        while first < states.endIndex, states[first] == .arrived { first += 1 }
        overtaking -= first - states.startIndex
        forgetSegments(before: first)
    }

    /// Takes a timeout back when what was sent before it has come after all (as RFC 4015 does by timestamps).
    private mutating func undoTimeout(ifProvenBy first: Int) {
        guard let former = beforeTimeout else { return }
        beforeTimeout = nil
        guard first < former.transmission else { return }
        congestion = former.congestion
        mode = .open
        for segment in lost[lostHead...] where state(of: segment) == .lost {
            states[segment] = .underWay
            underWay += 1
        }
        lostHead = lost.count
    }

    /// Gives up what must have come by now, and says whether there was something.
    mutating func findLosses(at now: Instant) -> Bool {
        reorderingEnds = nil
        var hasLost = false
        let patience = mode == .open && overtaking < 3 ? roundTrip.least / 4 : 0
        while oldestOpen < greatestArrived {
            let transmission = transmissions[oldestOpen]
            guard state(of: transmission.segment) == .underWay, latest[transmission.segment] == oldestOpen else {
                oldestOpen += 1
                continue
            }
            let due = Instant(nanoseconds: transmission.at.nanoseconds + roundTrip.latest + patience)
            guard patience == 0 || due <= now else {
                reorderingEnds = due
                break
            }
            giveUp(transmission.segment)
            hasLost = true
            oldestOpen += 1
        }
        if hasLost, mode == .open {
            congestion.lose()
            mode = .recovery
            recoveryEnd = states.endIndex
        }
        return hasLost
    }

    mutating func giveUp(_ segment: Int) {
        states[segment] = .lost
        lost.append(segment)
        underWay -= 1
    }
}
