internal import SegueBase
internal import SegueData

/// The sending end of a direction of a connection: transmissions and retransmissions.
///
/// Losses are detected like in Linux: after three later segments have arrived, or one that was sent a quarter round
/// trip later; after the first loss, after any later one (RACK, RFC 8985). Otherwise, a tail loss probe or the
/// retransmission timeout with backoff (RFC 6298) applies.
///
/// It belongs to one stream, and is never copied, as it is queried very often.
struct Sender: ~Copyable {
    /// The payload of a full segment, in bytes.
    static let segmentSize = 1448

    enum Mode {
        case open
        /// Retransmission of segments that others have overtaken.
        case recovery
        /// Retransmission after a timeout.
        case loss
    }

    var congestion: Congestion
    var roundTrip = RoundTrip()

    var unsent = UnsentBytes()

    /// The sent segments and transmissions.
    var board = Scoreboard()
    var mode = Mode.open
    /// The segment before which all must arrive to end recovery.
    var recoveryEnd = 0
    var progress = Instant.zero
    var reorderingEnds: Instant?
    var backoff = 0
    var hasProbed = false
    /// The retransmission that is a probe.
    var probe: Int?
    /// The state before a timeout, and the first transmission after it.
    var beforeTimeout: (congestion: Congestion, transmission: Int)?

    /// The number of written bytes.
    var written: Int { unsent.written }

    /// The number of sent bytes.
    var sent: Int { unsent.written - unsent.count }

    var receiveBuffer: ReceiveBuffer

    /// True if it stops because of unconsumed bytes at its receiver.
    var isHeldUp: Bool { hasUnsent && !hasRoomAhead }

    /// Creates a sender before the handshake.
    init(initialWindow: Int, receiveWindow: ReceiveWindow) {
        receiveBuffer = ReceiveBuffer(receiveWindow)
        congestion = Congestion(initialWindow: initialWindow, greatestWindow: receiveWindow.most / Self.segmentSize)
    }

    /// Sets the round-trip time of the handshake.
    mutating func measureHandshake(_ roundTrip: Duration) {
        self.roundTrip = RoundTrip(handshake: roundTrip.wholeNanoseconds)
    }

    /// The number of sent segments.
    var sentSegments: Int { board.states.endIndex }

    /// The number of segments in flight.
    var underWay: Int { board.underWay }

    /// True if something is unsent.
    var hasUnsent: Bool { !unsent.isEmpty }

    /// True if something is in flight or unsent.
    var isBusy: Bool { underWay > 0 || hasUnsent }

    /// The number of unsent bytes.
    var unsentBytes: Int { unsent.count }

    /// True if the end of the stream has been sent.
    var isFinished: Bool { unsent.hasTakenEnd }

    /// The number of bytes in the first segments, the last of which is in flight.
    func bytes(inSegments count: Int) -> Int { count == 0 ? 0 : board.ends[count - 1] }

    /// Adds bytes to the stream.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes.
    ///   - endsSegment: True if the last byte ends a segment, regardless of further bytes.
    mutating func write(_ bytes: Int, endsSegment: Bool, at now: Instant) {
        guard bytes > 0 else { return }
        if underWay == 0, !board.hasLost, !hasUnsent { restart(at: now) }
        unsent.write(bytes, endsSegment: endsSegment)
    }

    /// Ends the stream: with the last unsent bytes, or with an empty segment.
    mutating func finish() { unsent.finish() }

    /// Begins a new flight after everything has arrived.
    private mutating func restart(at now: Instant) {
        congestion.rest(for: now - progress, timeout: .nanoseconds(roundTrip.timeout))
        board.restart()
        (mode, reorderingEnds, backoff, hasProbed) = (.open, nil, 0, false)
        (probe, beforeTimeout) = (nil, nil)
        progress = now
    }

    /// Returns the next transmission that the window allows.
    mutating func next(at now: Instant) -> Int? {
        guard windowIsOpen else { return nil }
        if let segment = board.nextLost() { return transmit(segment, at: now) }
        guard mayTake(afterSegments: board.states.endIndex - board.states.startIndex) else { return nil }
        return transmitNew(at: now)
    }

    /// Sends a new segment from the unsent bytes.
    mutating func transmitNew(at now: Instant) -> Int {
        transmit(board.append(bytes: unsent.take(Self.segmentSize)), at: now)
    }

    mutating func transmit(_ segment: Int, at now: Instant) -> Int {
        if board.states[segment] != .underWay { leaves(at: now) }
        if mode == .recovery { congestion.send() }
        return board.transmit(segment, at: now)
    }

    /// Processes acknowledged transmissions.
    ///
    /// - Parameters:
    ///   - news: The part of the log that is new to the sender.
    mutating func acknowledge(_ log: SlidingArray<Receiver.Arrival>, _ news: Range<Int>, at now: Instant) {
        let first = board.states.startIndex
        let firstSent = board.latest.isEmpty ? 0 : board.latest[first]
        var (count, hasProbeHelped) = (0, false)
        for index in news {
            let transmission = log[index].transmission
            guard board.arrive(transmission, segment: log[index].segment) else { continue }
            hasProbeHelped = hasProbeHelped || transmission == probe
            count += 1
        }
        guard count > 0 else { return }
        undoTimeout(ifProvenBy: log[news.lowerBound].transmission)
        hears(ofOneSentAt: board.transmissions[board.greatestArrived].at.nanoseconds, at: now)
        board.forgetArrived()
        let hasAdvanced = board.states.startIndex > first
        // Arrivals sent after the latest transmission of the first missing segment do not extend its timeout.
        if hasAdvanced || board.greatestArrived < firstSent { progress = now }
        if mode != .open, board.states.startIndex >= recoveryEnd {
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
            widen(by: count, next: board.transmissions.endIndex, at: now)
        }
        board.forgetTransmissions()
    }

    /// Processes acknowledged segments in order, which a train remembers.
    ///
    /// - Parameters:
    ///   - count: The number of newly acknowledged segments.
    ///   - transmission: The transmission of the last one.
    ///   - next: The number of the next transmission.
    ///   - sent: The time of the last one's transmission, in nanoseconds.
    ///   - end: The number of acknowledged bytes.
    mutating func acknowledge(inOrder count: Int, transmission: Int, next: Int, sent: Int64, end: Int, at now: Instant)
    {
        board.arriveInOrder(count, transmission: transmission, end: end)
        hears(ofOneSentAt: sent, at: now)
        progress = now
        widen(by: count, next: next, at: now)
    }

    /// Takes the bytes of the next segment within the window, for a train.
    ///
    /// - Parameters:
    ///   - count: The number of unacknowledged segments.
    /// - Returns: The number of bytes; nil if nothing may be sent.
    mutating func next(afterSegments count: Int, at now: Instant) -> Int? {
        guard windowIsOpen, mayTake(afterSegments: count) else { return nil }
        leaves(at: now)
        return unsent.take(Self.segmentSize)
    }

    // The rules that do not depend on how segments are remembered.

    /// True if the congestion window allows one more segment in flight.
    private var windowIsOpen: Bool { underWay < max(1, congestion.window) }

    /// Returns whether something is unsent, and the receiver has space for it beyond a number of unacknowledged segments.
    private func mayTake(afterSegments count: Int) -> Bool {
        hasUnsent && count < receiveBuffer.segments && hasRoomAhead
    }

    /// True if the receiver has space for the next segment, even if its owner consumes nothing more.
    var hasRoomAhead: Bool {
        guard let end = receiveBuffer.end else { return true }
        return sent + unsent.nextCount(Self.segmentSize) <= end
    }

    /// Counts one more segment in flight.
    private mutating func leaves(at now: Instant) {
        if underWay == 0 { progress = now }
        board.depart()
    }

    /// Processes the arrival of a segment sent at a time in nanoseconds, which ends backoff and probing.
    private mutating func hears(ofOneSentAt sent: Int64, at now: Instant) {
        roundTrip.measure(max(1, now.nanoseconds - sent))
        (backoff, hasProbed) = (0, false)
    }

    /// Widens the window for segments that arrived in order.
    private mutating func widen(by count: Int, next: Int, at now: Instant) {
        congestion.acknowledge(
            count,
            transmission: board.greatestArrived,
            next: next,
            roundTrip: roundTrip,
            isLimited: congestion.window < 2 * board.mostUnderWay,
            at: now
        )
    }

    /// Undoes a timeout if a segment sent before it arrived after all (like RFC 4015 with timestamps).
    private mutating func undoTimeout(ifProvenBy first: Int) {
        guard let former = beforeTimeout else { return }
        beforeTimeout = nil
        guard first < former.transmission else { return }
        congestion = former.congestion
        mode = .open
        board.restoreLost()
    }

    /// Detects lost segments; returns whether there are any.
    mutating func findLosses(at now: Instant) -> Bool {
        let patience = mode == .open && board.overtaking < 3 ? roundTrip.least / 4 : 0
        let hasLost: Bool
        (hasLost, reorderingEnds) = board.findLosses(
            after: roundTrip.latest + patience,
            isPatient: patience != 0,
            at: now
        )
        if hasLost, mode == .open {
            congestion.lose()
            mode = .recovery
            recoveryEnd = board.states.endIndex
        }
        return hasLost
    }
}
