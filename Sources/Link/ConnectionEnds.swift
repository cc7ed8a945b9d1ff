internal import Timeline

/// Both ends of a connection, and what TCP has them do about packets.
///
/// The rules stand here alone: ``SimulatedLink`` follows them for any packet, ``flow(on:until:stopsAtNews:)`` for a steady
/// download, and ``TrainCourse`` takes from here what does not depend on how it remembers its segments.
struct ConnectionEnds: ~Copyable {
    let connection: LinkConnection
    var path: Lanes.Path
    var down: SimulatedStream
    var up: SimulatedStream

    /// The request under way, where somebody asks and answers over it: where it ends in the stream up, and where the
    /// answer begins in the stream down.
    var exchange: Exchange?

    /// A request and its answer.
    struct Exchange {
        let requestEnd: Int
        let answerBegins: Int
        /// From where on the client wishes to know that more of the answer has come, the head included.
        var newsBytes = 0
        /// From when on it wishes to know of whatever comes.
        var newsInstant = Instant.zero
    }

    init(
        _ connection: LinkConnection,
        path: Lanes.Path,
        down: consuming SimulatedStream,
        up: consuming SimulatedStream
    ) {
        (self.connection, self.path) = (connection, path)
        self.down = down
        self.up = up
    }

    subscript(direction: LinkDirection) -> SimulatedStream {
        @inline(__always) _read {
            switch direction {
            case .down: yield down
            case .up: yield up
            }
        }
        @inline(__always) _modify {
            switch direction {
            case .down: yield &down
            case .up: yield &up
            }
        }
    }

    /// Sends a packet; says when it is there, or nil when it is lost.
    @inline(__always)
    mutating func send(_ bytes: Int, _ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) -> Instant? {
        wire.lanes.send(bytes, direction, at: now, on: &path)?.arrives
    }

    /// A segment comes to the receiver of a direction.
    @inline(__always)
    mutating func receive(_ arrival: Receiver.Arrival, _ direction: LinkDirection) -> Receiver.Answer {
        let sent = self[direction].sender.hasUnsent ? nil : self[direction].sender.sentSegments
        return self[direction].receiver.receive(arrival, ofAll: sent)
    }

    /// The receiver of a direction acknowledges what has come: now, or after a while if nothing else comes.
    @inline(__always)
    mutating func answer(
        _ answer: Receiver.Answer,
        _ direction: LinkDirection,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        if answer.acknowledgesNow {
            acknowledge(direction, on: &wire, at: now)
        } else if self[direction].acknowledgementTimer == nil {
            let due = Instant(nanoseconds: now.nanoseconds + Receiver.patience)
            let timer = wire.plan(.acknowledgementDue(direction), of: connection, at: due)
            self[direction].acknowledgementTimer = timer
        }
    }

    /// The receiver of a direction has waited for something to acknowledge along with what has come.
    mutating func stopWaiting(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        self[direction].acknowledgementTimer = nil
        if self[direction].receiver.owesAcknowledgement { acknowledge(direction, on: &wire, at: now) }
    }

    /// The receiver of a direction sends an acknowledgement of all that has come.
    mutating func acknowledge(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        self[direction].receiver.acknowledge()
        wire.drop(&self[direction].acknowledgementTimer)
        guard let there = send(SimulatedLink.headerBytes, direction.opposite, on: &wire, at: now) else { return }
        let logCount = self[direction].receiver.log.endIndex
        wire.plan(.acknowledgement(direction, logCount: logCount), of: connection, at: there)
    }

    /// What is to be told of the bytes that have come in a direction; nil of a part of a request, and where nobody
    /// wishes to know.
    @inline(__always)
    func news(_ direction: LinkDirection, at now: Instant) -> SimulatedLink.Output? {
        let bytes = self[direction].delivered
        guard let exchange else { return .delivered(connection, direction, bytes: bytes) }
        switch direction {
        case .down:
            let come = bytes - exchange.answerBegins
            return come >= exchange.newsBytes || now >= exchange.newsInstant ? .received(connection, bytes: come) : nil
        case .up: return bytes == exchange.requestEnd ? .requested(connection) : nil
        }
    }

    /// The sender of a direction sends what its window allows, and has its deadline planned.
    @inline(__always)
    mutating func sendSegments(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        let waited = self[direction].sender.unsentBytes
        while let transmission = self[direction].sender.next(at: now) {
            send(transmission: transmission, direction, on: &wire, at: now)
        }
        hasSent(direction, waited: waited, on: &wire, at: now)
    }

    /// Sends a segment, and along with it an acknowledgement of what has come the other way.
    @inline(__always)
    mutating func send(
        transmission: Int,
        _ direction: LinkDirection,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        let (segment, bytes) = self[direction].sender.content(of: transmission)
        self[direction.opposite].receiver.acknowledge()
        wire.drop(&self[direction.opposite].acknowledgementTimer)
        let logCount = self[direction.opposite].receiver.log.endIndex
        guard let there = send(bytes + SimulatedLink.headerBytes, direction, on: &wire, at: now) else { return }
        let arrival = Receiver.Arrival(transmission: transmission, segment: segment)
        wire.plan(.segment(direction, arrival, logCount: logCount), of: connection, at: there)
    }

    /// The sender of a direction has sent what it may: it says whether it has room again, and when it looks next.
    ///
    /// - Parameters:
    ///   - direction: The direction.
    ///   - waited: How many bytes waited to be sent before.
    ///   - wire: What the link's connections share.
    ///   - now: When.
    @inline(__always)
    mutating func hasSent(_ direction: LinkDirection, waited: Int, on wire: inout LinkWire, at now: Instant) {
        if waited >= SimulatedLink.lowWater, self[direction].sender.unsentBytes < SimulatedLink.lowWater {
            wire.tell(.hasRoom(connection, direction), at: now)
        }
        planDeadline(direction, on: &wire)
    }

    /// Keeps one deadline planned for a sender; one that moved later is looked at again when it comes.
    @inline(__always)
    mutating func planDeadline(_ direction: LinkDirection, on wire: inout LinkWire) {
        guard let deadline = self[direction].sender.deadline else { return dropDeadline(direction, on: &wire) }
        if let planned = self[direction].deadline, planned.nanoseconds <= deadline.nanoseconds { return }
        wire.drop(&self[direction].deadlineTimer)
        self[direction].deadline = deadline
        self[direction].deadlineTimer = wire.plan(.senderDeadline(direction), of: connection, at: deadline)
    }

    mutating func dropDeadline(_ direction: LinkDirection, on wire: inout LinkWire) {
        wire.drop(&self[direction].deadlineTimer)
        self[direction].deadline = nil
    }

    /// The deadline of a sender has come, which may have moved on meanwhile.
    mutating func expire(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        guard let deadline = self[direction].sender.deadline, deadline <= now,
            let transmission = self[direction].sender.expire(at: now)
        else { return }
        send(transmission: transmission, direction, on: &wire, at: now)
    }
}
