internal import SegueBase

/// Both ends of a connection: a stream each way, over the same path.
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
        /// How parts are noted that it need not know of at once; nil where it wishes to know of each.
        var gathering: Gathering?
    }

    /// Parts of an answer that are noted as they come, and told only when somebody asks.
    struct Gathering {
        let parts: SimulatedLink.Parts
        /// How much of the answer has come with the last of them, the head included, and when.
        var noted: (bytes: Int, at: Instant)?

        /// The rest of the answer is news again from so many bytes on, or from an instant.
        mutating func note(_ bytes: Int, at now: Instant) -> (bytes: Int, instant: Instant) {
            noted = (bytes, now)
            return (min(parts.whole, bytes + parts.size), now + parts.delay)
        }
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
        _read {
            switch direction {
            case .down: yield down
            case .up: yield up
            }
        }
        _modify {
            switch direction {
            case .down: yield &down
            case .up: yield &up
            }
        }
    }

    /// What is to be told of the bytes that have come in a direction; nil of a part of a request, and where nobody
    /// wishes to know.
    @inline(__always)
    mutating func news(_ direction: LinkDirection, at now: Instant) -> SimulatedLink.Output? {
        let bytes = direction == .down ? down.delivered : up.delivered
        guard let exchange else { return .delivered(connection, direction, bytes: bytes) }
        switch direction {
        case .down:
            let come = bytes - exchange.answerBegins
            guard come >= exchange.newsBytes || now >= exchange.newsInstant else { return nil }
            if let parts = exchange.gathering?.parts, come < parts.whole, now < parts.end {
                notePart(come, at: now)
                return nil
            }
            return .received(connection, bytes: come)
        case .up: return bytes == exchange.requestEnd ? .requested(connection) : nil
        }
    }

    private mutating func notePart(_ bytes: Int, at now: Instant) {
        guard let next = exchange?.gathering?.note(bytes, at: now) else { return }
        exchange?.newsBytes = next.bytes
        exchange?.newsInstant = next.instant
    }
}

// The rules of ``SimulatedStream`` for whoever has a direction: without a subscript, which would be a coroutine.
extension ConnectionEnds {
    /// A segment comes to the receiver of a direction.
    mutating func receive(_ arrival: Receiver.Arrival, _ direction: LinkDirection) -> Receiver.Answer {
        switch direction {
        case .down: down.receive(arrival)
        case .up: up.receive(arrival)
        }
    }

    /// The sender of a direction learns what has come.
    mutating func isAcknowledged(_ direction: LinkDirection, upTo logCount: Int, at now: Instant) {
        switch direction {
        case .down: down.isAcknowledged(upTo: logCount, at: now)
        case .up: up.isAcknowledged(upTo: logCount, at: now)
        }
    }

    /// The receiver of a direction acknowledges what has come: now, or after a while if nothing else comes.
    mutating func answer(
        _ answer: Receiver.Answer,
        _ direction: LinkDirection,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        switch direction {
        case .down: down.answer(answer, over: &path, on: &wire, at: now)
        case .up: up.answer(answer, over: &path, on: &wire, at: now)
        }
    }

    /// The receiver of a direction has waited for something to acknowledge along with what has come.
    mutating func stopWaiting(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .down: down.stopWaiting(over: &path, on: &wire, at: now)
        case .up: up.stopWaiting(over: &path, on: &wire, at: now)
        }
    }

    /// The receiver of a direction sends an acknowledgement of all that has come.
    mutating func acknowledge(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .down: down.acknowledge(over: &path, on: &wire, at: now)
        case .up: up.acknowledge(over: &path, on: &wire, at: now)
        }
    }

    /// The sender of a direction sends what its window allows, and has its deadline planned.
    mutating func sendSegments(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .down: down.sendSegments(acknowledging: &up, over: &path, on: &wire, at: now)
        case .up: up.sendSegments(acknowledging: &down, over: &path, on: &wire, at: now)
        }
    }

    /// The deadline of a sender has come, which may have moved on meanwhile.
    mutating func expire(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .down: down.expire(acknowledging: &up, over: &path, on: &wire, at: now)
        case .up: up.expire(acknowledging: &down, over: &path, on: &wire, at: now)
        }
    }
}
