internal import SegueBase

/// The segments and transmissions of a sender, and their states.
///
/// It is never copied, like the sender that it belongs to.
struct Scoreboard: ~Copyable {
    enum State: UInt8 { case unsent, underWay, lost, arrived }

    struct Transmission {
        let segment: Int
        let at: Instant
    }

    var states = SlidingArray<State>()
    /// The latest transmission of each segment.
    var latest = SlidingArray<Int>()
    /// The number of bytes up to the end of each segment.
    var ends = SlidingArray<Int>()
    var transmissions = SlidingArray<Transmission>()
    /// The number of bytes before the first remembered segment.
    private(set) var dropped = 0
    private var lost: [Int] = []
    private var lostHead = 0
    private var oldestOpen = 0
    private(set) var underWay = 0
    /// The maximum number of segments in flight since the last restart.
    private(set) var mostUnderWay = 0
    private(set) var greatestArrived = -1
    /// The number of segments that arrived after the first missing one.
    private(set) var overtaking = 0

    /// True if a lost segment may wait for its retransmission.
    var hasLost: Bool { lostHead < lost.count }

    /// The number of bytes in all sent segments.
    var lastEnd: Int { ends.isEmpty ? dropped : ends[ends.endIndex - 1] }

    /// The segment of a transmission and its bytes; called immediately after the transmission.
    func content(of transmission: Int) -> (segment: Int, bytes: Int) {
        let segment = transmissions[transmission].segment
        return (segment, ends[segment] - (segment > ends.startIndex ? ends[segment - 1] : dropped))
    }

    private func state(of segment: Int) -> State { segment < states.startIndex ? .arrived : states[segment] }

    // MARK: Transmissions

    /// Adds an unsent segment.
    ///
    /// - Returns: Its number.
    mutating func append(bytes: Int) -> Int {
        let before = lastEnd
        states.append(.unsent)
        latest.append(-1)
        ends.append(before + bytes)
        return states.endIndex - 1
    }

    /// Records the transmission of a segment, whose departure is counted separately.
    ///
    /// - Returns: The number of the transmission.
    mutating func transmit(_ segment: Int, at now: Instant) -> Int {
        states[segment] = .underWay
        latest[segment] = transmissions.endIndex
        transmissions.append(Transmission(segment: segment, at: now))
        return transmissions.endIndex - 1
    }

    /// Counts one more segment in flight.
    mutating func depart() {
        underWay += 1
        mostUnderWay = max(mostUnderWay, underWay)
    }

    /// Removes the next lost segment that has not arrived after all; nil if there is none.
    mutating func nextLost() -> Int? {
        while lostHead < lost.count {
            defer { lostHead += 1 }
            if state(of: lost[lostHead]) == .lost { return lost[lostHead] }
        }
        if !lost.isEmpty { (lost, lostHead) = ([], 0) }
        return nil
    }

    /// Forgets everything after all segments have arrived.
    mutating func restart() {
        forgetSegments(before: states.endIndex)
        transmissions.drop(before: transmissions.endIndex)
        oldestOpen = transmissions.endIndex
        (lost, lostHead, mostUnderWay, overtaking) = ([], 0, 0, 0)
    }

    // MARK: Arrivals

    /// Records the arrival of a transmission; returns whether its segment had not arrived before.
    mutating func arrive(_ transmission: Int, segment: Int) -> Bool {
        greatestArrived = max(greatestArrived, transmission)
        guard state(of: segment) != .arrived else { return false }
        if states[segment] == .underWay { underWay -= 1 }
        states[segment] = .arrived
        overtaking += 1
        return true
    }

    /// Records the arrival of segments in order, which a train remembers.
    ///
    /// - Parameters:
    ///   - count: The number of segments.
    ///   - transmission: The transmission of the last one.
    ///   - end: The number of bytes up to its end.
    mutating func arriveInOrder(_ count: Int, transmission: Int, end: Int) {
        underWay -= count
        greatestArrived = transmission
        oldestOpen = max(oldestOpen, transmission)
        dropped = end
    }

    /// Forgets the segments before the first missing one.
    mutating func forgetArrived() {
        var first = states.startIndex
        while first < states.endIndex, states[first] == .arrived { first += 1 }
        overtaking -= first - states.startIndex
        forgetSegments(before: first)
    }

    /// Forgets the transmissions that determine no loss any more.
    mutating func forgetTransmissions() { transmissions.drop(before: min(oldestOpen, greatestArrived)) }

    private mutating func forgetSegments(before segment: Int) {
        guard segment > ends.startIndex else { return }
        dropped = ends[segment - 1]
        states.drop(before: segment)
        latest.drop(before: segment)
        ends.drop(before: segment)
    }

    // MARK: Losses

    /// Gives up the segments in flight whose transmissions later ones have overtaken.
    ///
    /// - Parameters:
    ///   - wait: The time after its transmission at which a segment is lost, in nanoseconds.
    ///   - isPatient: False if the time need not have passed.
    /// - Returns: True if segments were lost, and the time at which the next one counts as lost; nil if none is due.
    mutating func findLosses(
        after wait: Int64,
        isPatient: Bool,
        at now: Instant
    ) -> (hasLost: Bool, reorderingEnds: Instant?) {
        var hasLost = false
        while oldestOpen < greatestArrived {
            let transmission = transmissions[oldestOpen]
            guard state(of: transmission.segment) == .underWay, latest[transmission.segment] == oldestOpen else {
                oldestOpen += 1
                continue
            }
            let due = Instant(nanoseconds: transmission.at.nanoseconds + wait)
            guard !isPatient || due <= now else { return (hasLost, due) }
            giveUp(transmission.segment)
            hasLost = true
            oldestOpen += 1
        }
        return (hasLost, nil)
    }

    /// Gives up all segments in flight.
    mutating func giveUpAll() { for segment in states.indices where states[segment] == .underWay { giveUp(segment) } }

    private mutating func giveUp(_ segment: Int) {
        states[segment] = .lost
        lost.append(segment)
        underWay -= 1
    }

    /// Returns the segments that wait for their retransmission to flight.
    mutating func restoreLost() {
        for segment in lost[lostHead...] where state(of: segment) == .lost {
            states[segment] = .underWay
            underWay += 1
        }
        lostHead = lost.count
    }
}

/// The state that a ``Train`` takes over and returns.
extension Scoreboard {
    /// The segments in flight, if none is missing: first, end, the offset of transmissions, and the transmission before
    /// them.
    var steady: (first: Int, end: Int, transmissionOffset: Int, preceding: Transmission?)? {
        guard overtaking == 0, !hasLost, underWay == states.indices.count else { return nil }
        let (first, end) = (states.startIndex, states.endIndex)
        let offset = transmissions.endIndex - end
        let preceding = first + offset - transmissions.startIndex
        guard preceding == 0 || preceding == 1, greatestArrived < first + offset,
            (first..<end).allSatisfy({ latest[$0] == $0 + offset })
        else { return nil }
        return (first, end, offset, preceding == 1 ? transmissions[first + offset - 1] : nil)
    }

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
