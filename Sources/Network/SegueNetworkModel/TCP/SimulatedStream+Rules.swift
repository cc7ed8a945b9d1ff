internal import SegueBase

/// What TCP has the two ends of a stream do about its packets.
///
/// The rules stand here alone: ``SimulatedLink`` follows them for any packet, ``ConnectionEnds/flow(on:until:stopsAtNews:)``
/// for a steady download, and ``TrainCourse`` takes from here what does not depend on how it remembers its segments.
extension SimulatedStream {
    /// A segment comes to the receiver.
    mutating func receive(_ arrival: Receiver.Arrival) -> Receiver.Answer {
        receiver.receive(arrival, ofAll: sender.hasUnsent ? nil : sender.sentSegments)
    }

    /// Segments have come in order up to a number; tells whether there are bytes among them that had not come.
    mutating func hasCome(segments: Int, at now: Instant) -> Bool {
        hasCome(bytes: sender.bytes(inSegments: segments), at: now)
    }

    /// So many bytes have come in order; tells whether there are some among them that had not come.
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

    /// The receiver's owner has taken all but so many bytes, or takes all again that comes; tells whether the sender is to
    /// know at once.
    mutating func hold(_ bytes: Int?, at now: Instant) -> Bool {
        // What is under way is acknowledged when it comes, and that tells the sender as well.
        let isStopped = sender.isHeldUp && delivered == sender.sent
        let taken = bytes.map { max(0, delivered - $0) }
        measureTaking(taken ?? delivered, at: now)
        return sender.receiveBuffer.take(upTo: taken, ofThose: delivered, isStopped: isStopped)
    }

    /// The receiver acknowledges what has come: now, or after a while if nothing else comes.
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

    /// The receiver has waited for something to acknowledge along with what has come.
    mutating func stopWaiting(over path: inout Lanes.Path, on wire: inout LinkWire, at now: Instant) {
        acknowledgementTimer = nil
        if receiver.owesAcknowledgement { acknowledge(over: &path, on: &wire, at: now) }
    }

    /// The receiver sends an acknowledgement of all that has come.
    mutating func acknowledge(over path: inout Lanes.Path, on wire: inout LinkWire, at now: Instant) {
        receiver.acknowledge()
        wire.drop(&acknowledgementTimer)
        guard let there = wire.send(SimulatedLink.headerBytes, direction.opposite, over: &path, at: now) else { return }
        wire.plan(.acknowledgement(direction, logCount: receiver.log.endIndex), of: connection, at: there)
    }

    /// The sender sends what its window allows, and has its deadline planned.
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

    /// Sends a segment, and along with it an acknowledgement of what has come the other way.
    private mutating func send(
        _ transmission: Int,
        acknowledging other: inout SimulatedStream,
        over path: inout Lanes.Path,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        let (segment, bytes) = sender.content(of: transmission)
        other.receiver.acknowledge()
        wire.drop(&other.acknowledgementTimer)
        guard let there = wire.send(bytes + SimulatedLink.headerBytes, direction, over: &path, at: now) else { return }
        let arrival = Receiver.Arrival(transmission: transmission, segment: segment)
        let logCount = other.receiver.log.endIndex
        wire.plan(.segment(direction, arrival, logCount: logCount), of: connection, at: there)
    }

    /// The sender has sent what it may: it says whether it has room again, and when it looks next.
    ///
    /// - Parameters:
    ///   - waited: How many bytes waited to be sent before.
    ///   - wire: What the link's connections share.
    ///   - now: When.
    @inline(__always)
    mutating func hasSent(waited: Int, on wire: inout LinkWire, at now: Instant) {
        if waited >= SimulatedLink.lowWater, sender.unsentBytes < SimulatedLink.lowWater {
            wire.tell(.hasRoom(connection, direction), at: now)
        }
        planDeadline(on: &wire)
    }

    /// Keeps one deadline planned for the sender; one that moved later is looked at again when it comes.
    mutating func planDeadline(on wire: inout LinkWire) {
        // The one planned mostly comes first in any case, and nothing is to be reckoned.
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

    /// The sender's deadline has come, which may have moved on meanwhile.
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
