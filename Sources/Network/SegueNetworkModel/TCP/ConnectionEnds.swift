internal import SegueBase

/// Both ends of a connection: a stream in each direction over the same path.
struct ConnectionEnds: ~Copyable {
    let connection: LinkConnection
    var path: Lanes.Path
    var down: SimulatedStream
    var up: SimulatedStream

    /// The current HTTP exchange, if any: the end of the request in the upward stream, and the beginning of the
    /// response in the downward one.
    var exchange: Exchange?

    /// A request and its response.
    struct Exchange {
        let requestEnd: Int
        let answerBegins: Int
        /// The response size from which on the client wants reports, including the head.
        var newsBytes = 0
        /// The time from which on the client wants reports.
        var newsInstant = Instant.zero
        /// The recording of parts; nil if all are reported.
        var gathering: Gathering?
    }

    /// Parts of a response that are recorded, and reported on demand.
    struct Gathering {
        let parts: ResponseParts
        /// The response size at the last recorded part, including the head, and its time.
        var noted: (bytes: Int, at: Instant)?

        /// Records a part, and returns the size or time of the next one.
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

    /// The output for newly delivered bytes; nil for a part of a request, and for an unwanted report.
    @inline(__always)
    mutating func news(_ direction: LinkDirection, at now: Instant) -> LinkOutput? {
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

// The rules of ``SimulatedStream`` by direction, without the subscript, which would be a coroutine.
extension ConnectionEnds {
    /// Processes the arrival of a segment at the receiver.
    mutating func receive(_ arrival: Receiver.Arrival, _ direction: LinkDirection) -> Receiver.Answer {
        switch direction {
        case .down: down.receive(arrival)
        case .up: up.receive(arrival)
        }
    }

    /// Informs the sender of arrivals.
    mutating func isAcknowledged(_ direction: LinkDirection, upTo logCount: Int, at now: Instant) {
        switch direction {
        case .down: down.isAcknowledged(upTo: logCount, at: now)
        case .up: up.isAcknowledged(upTo: logCount, at: now)
        }
    }

    /// Acknowledges arrivals, at once or after the delay.
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

    /// Ends the delay of an acknowledgement.
    mutating func stopWaiting(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .down: down.stopWaiting(over: &path, on: &wire, at: now)
        case .up: up.stopWaiting(over: &path, on: &wire, at: now)
        }
    }

    /// Acknowledges all arrivals.
    mutating func acknowledge(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .down: down.acknowledge(over: &path, on: &wire, at: now)
        case .up: up.acknowledge(over: &path, on: &wire, at: now)
        }
    }

    /// Sends segments within the window, and schedules the sender's deadline.
    mutating func sendSegments(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .down: down.sendSegments(acknowledging: &up, over: &path, on: &wire, at: now)
        case .up: up.sendSegments(acknowledging: &down, over: &path, on: &wire, at: now)
        }
    }

    /// Processes the sender's deadline, which may have moved.
    mutating func expire(_ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        switch direction {
        case .down: down.expire(acknowledging: &up, over: &path, on: &wire, at: now)
        case .up: up.expire(acknowledging: &down, over: &path, on: &wire, at: now)
        }
    }
}
