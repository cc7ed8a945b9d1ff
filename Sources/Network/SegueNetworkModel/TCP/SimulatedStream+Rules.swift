internal import SegueBase

/// The rules of TCP for the two ends of a stream.
///
/// This is the only place of the rules: ``SimulatedLink`` follows them for any packet,
/// ``ConnectionEnds/flow(on:until:stopsAtNews:)`` for a steady download, and ``TrainCourse`` uses those that do not
/// depend on how segments are remembered.
extension SimulatedStream {
    /// Processes the arrival of a segment at the receiver.
    mutating func receive(_ arrival: Receiver.Arrival) -> Receiver.Answer {
        receiver.receive(arrival, ofAll: sender.hasUnsent ? nil : sender.sentSegments)
    }

    /// Processes segments in order up to a number; returns whether there are new bytes.
    mutating func hasCome(segments: Int, at now: Instant) -> Bool {
        hasCome(bytes: sender.bytes(inSegments: segments), at: now)
    }

    /// Processes bytes in order up to a number; returns whether there are new ones.
    @inline(__always)
    mutating func hasCome(bytes: Int, at now: Instant) -> Bool {
        guard bytes > delivered else { return false }
        (delivered, deliveredAt) = (bytes, now)
        if sender.receiveBuffer.taken == nil { measureTaking(bytes, at: now) }
        return true
    }

    @inline(__always)
    private mutating func measureTaking(_ bytes: Int, at now: Instant) {
        sender.receiveBuffer.measure(takenUpTo: bytes, roundTrip: sender.roundTrip.smoothed, at: now.nanoseconds)
    }

    /// Sets the number of unconsumed bytes at the receiver, or nil for none; returns whether the sender is informed at
    /// once.
    mutating func hold(_ bytes: Int?, at now: Instant) -> Bool {
        // The acknowledgements of segments in flight inform the sender as well.
        let isStopped = sender.isHeldUp && delivered == sender.sent
        let taken = bytes.map { max(0, delivered - $0) }
        measureTaking(taken ?? delivered, at: now)
        return sender.receiveBuffer.take(upTo: taken, ofThose: delivered, isStopped: isStopped)
    }

    /// Acknowledges arrivals, at once or after the delay.
    mutating func answer(
        _ answer: Receiver.Answer,
        over path: inout Lanes.Path,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        if answer.acknowledgesNow {
            acknowledge(over: &path, on: &wire, at: now)
        } else if acknowledgementTimer == nil {
            let due = Instant(nanoseconds: now.nanoseconds + Receiver.patience)
            acknowledgementTimer = wire.plan(.acknowledgementDue(direction), of: connection, at: due)
        }
    }

    /// Ends the delay of an acknowledgement.
    mutating func stopWaiting(over path: inout Lanes.Path, on wire: inout LinkWire, at now: Instant) {
        acknowledgementTimer = nil
        if receiver.owesAcknowledgement { acknowledge(over: &path, on: &wire, at: now) }
    }

    /// Acknowledges all arrivals.
    mutating func acknowledge(over path: inout Lanes.Path, on wire: inout LinkWire, at now: Instant) {
        receiver.acknowledge()
        wire.drop(&acknowledgementTimer)
        guard let there = wire.send(SimulatedLink.headerBytes, direction.opposite, over: &path, at: now) else { return }
        wire.plan(.acknowledgement(direction, logCount: receiver.log.endIndex), of: connection, at: there)
    }

    /// Sends segments within the window, and schedules the sender's deadline.
    mutating func sendSegments(
        acknowledging other: inout SimulatedStream,
        over path: inout Lanes.Path,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        let waited = sender.unsentBytes
        while let transmission = sender.next(at: now) {
            send(transmission, acknowledging: &other, over: &path, on: &wire, at: now)
        }
        hasSent(waited: waited, on: &wire, at: now)
    }

    /// Sends a segment, with an acknowledgement of the other direction.
    private mutating func send(
        _ transmission: Int,
        acknowledging other: inout SimulatedStream,
        over path: inout Lanes.Path,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        let (segment, bytes) = sender.board.content(of: transmission)
        other.receiver.acknowledge()
        wire.drop(&other.acknowledgementTimer)
        guard let there = wire.send(bytes + SimulatedLink.headerBytes, direction, over: &path, at: now) else { return }
        let arrival = Receiver.Arrival(transmission: transmission, segment: segment)
        let logCount = other.receiver.log.endIndex
        wire.plan(.segment(direction, arrival, logCount: logCount), of: connection, at: there)
    }

    /// Reports room for more bytes, and schedules the sender's deadline.
    ///
    /// - Parameters:
    ///   - waited: The number of unsent bytes before.
    ///   - wire: The state that the link's connections share.
    @inline(__always)
    mutating func hasSent(waited: Int, on wire: inout LinkWire, at now: Instant) {
        if waited >= SimulatedLink.lowWater, sender.unsentBytes < SimulatedLink.lowWater {
            wire.tell(.hasRoom(connection, direction), at: now)
        }
        planDeadline(on: &wire)
    }

    /// Schedules the sender's deadline; a deadline that has moved back is checked when the earlier one expires.
    mutating func planDeadline(on wire: inout LinkWire) {
        // The scheduled deadline is mostly the earlier one, which avoids the calculation.
        if let planned = self.deadline, let least = sender.leastDeadline, planned.nanoseconds <= least { return }
        guard let deadline = sender.deadline else { return dropDeadline(on: &wire) }
        if let planned = self.deadline, planned.nanoseconds <= deadline.nanoseconds { return }
        wire.drop(&deadlineTimer)
        self.deadline = deadline
        deadlineTimer = wire.plan(.senderDeadline(direction), of: connection, at: deadline)
    }

    mutating func dropDeadline(on wire: inout LinkWire) {
        wire.drop(&deadlineTimer)
        deadline = nil
    }

    /// Processes the sender's deadline, which may have moved.
    mutating func expire(
        acknowledging other: inout SimulatedStream,
        over path: inout Lanes.Path,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        guard let deadline = sender.deadline, deadline <= now, let transmission = sender.expire(at: now) else { return }
        send(transmission, acknowledging: &other, over: &path, on: &wire, at: now)
    }
}
