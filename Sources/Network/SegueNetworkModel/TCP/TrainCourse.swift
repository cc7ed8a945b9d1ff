internal import SegueBase

/// The state of a ``Train``.
///
/// Plain numbers in memory that the train owns; times are in nanoseconds.
struct TrainCourse {
    /// An unacknowledged segment.
    struct Car {
        var sent: Int64
        /// The arrival; ``TrainCourse/lost`` for a lost segment.
        var arrives: Int64
        /// The number of bytes up to its end.
        var end: Int
        /// Its number in the link's queue.
        var number: Int
    }

    struct Acknowledgement {
        var arrives: Int64
        /// The segment before which all have arrived.
        var segment: Int
        var number: Int
    }

    /// The arrival of a lost segment.
    static let lost = Int64.max

    private(set) var steady: SimulatedStream.Steady
    var cars: Ring<Car>
    private(set) var acknowledgements: Ring<Acknowledgement>
    /// The range of acknowledgements in flight, counted from the beginning.
    private(set) var acknowledging = 0
    private(set) var acknowledged = 0
    /// The time of the delayed acknowledgement; `Int64.max` for none.
    var due = Int64.max
    var dueNumber = 0
    /// The part of the upward log that the first segment acknowledges; nil after that.
    var acknowledgesUp: Int?
    private(set) var isBroken = false
    /// The last arrival of the segments in flight.
    var lastArrival: Int64 = 0
    private var lastEnd: Int

    init(_ steady: SimulatedStream.Steady, lastEnd: Int) {
        (self.steady, self.lastEnd) = (steady, lastEnd)
        cars = Ring(holding: max(64, steady.end - steady.first))
        acknowledgements = Ring(holding: 64)
    }

    func deallocate() {
        cars.deallocate()
        acknowledgements.deallocate()
    }

    var first: Int { steady.first }
    var next: Int { steady.next }
    var end: Int { steady.end }

    var nextInstant: Int64 {
        var instant = due
        if next < end { instant = min(instant, cars[next].arrives) }
        if acknowledging < acknowledged { instant = min(instant, acknowledgements[acknowledging].arrives) }
        return instant
    }

    mutating func add(_ acknowledgement: Acknowledgement) {
        if acknowledged - acknowledging > acknowledgements.mask {
            acknowledgements.grow(acknowledging..<acknowledged)
        }
        acknowledgements[acknowledged] = acknowledgement
        acknowledged += 1
    }

    /// Processes its events up to the limit and up to other events of the link, or through the instant of the first
    /// output.
    mutating func run(
        on wire: inout LinkWire,
        _ ends: inout ConnectionEnds,
        until limit: Int64,
        stopsAtNews: Bool
    ) -> Instant {
        var limit = limit
        if stopsAtNews, let first = wire.outputs.first { limit = min(limit, first.at.nanoseconds) }
        var latest: Int64 = 0
        while !isBroken {
            // At the same instant, the order of scheduling applies.
            var (instant, number, kind) = (due, dueNumber, Kind.timer)
            if next < end {
                let car = cars[next]
                guard car.arrives != Self.lost else {
                    isBroken = true
                    break
                }
                if car.arrives < instant || car.arrives == instant && car.number < number {
                    (instant, number, kind) = (car.arrives, car.number, .segment)
                }
            }
            if acknowledging < acknowledged {
                let coming = acknowledgements[acknowledging]
                if coming.arrives < instant || coming.arrives == instant && coming.number < number {
                    (instant, number, kind) = (coming.arrives, coming.number, .acknowledgement)
                }
            }
            guard instant <= limit, instant < .max, instant <= wire.queue.nextInstant?.nanoseconds ?? .max else {
                break
            }
            latest = instant
            let now = Instant(nanoseconds: instant)
            switch kind {
            case .segment: arrive(on: &wire, &ends, at: now)
            case .acknowledgement:
                take(acknowledgements[acknowledging], &ends.down, at: now)
                send(on: &wire, &ends, at: now)
            case .timer:
                due = .max
                if ends.down.receiver.owesAcknowledgement { acknowledge(on: &wire, &ends, at: now) }
            }
            if stopsAtNews, !wire.outputs.isEmpty { limit = instant }
        }
        return Instant(nanoseconds: latest)
    }

    private enum Kind { case segment, acknowledgement, timer }

    /// Processes the arrival of the next segment.
    @inline(__always)
    private mutating func arrive(on wire: inout LinkWire, _ ends: inout ConnectionEnds, at now: Instant) {
        let known = acknowledgesUp.take()
        if let known { ends.isAcknowledged(.up, upTo: known, at: now) }
        let bytes = cars[next].end
        steady.next += 1
        let isLast = next == end && !ends.down.sender.hasUnsent
        let acknowledgesNow = ends.down.receiver.receiveNext(isLast: isLast)
        if ends.down.hasCome(bytes: bytes, at: now), let news = ends.news(.down, at: now) { wire.tell(news, at: now) }
        if acknowledgesNow {
            acknowledge(on: &wire, &ends, at: now)
        } else if due == .max {
            due = now.nanoseconds + Receiver.patience
            dueNumber = wire.queue.number()
        }
        if known != nil { ends.sendSegments(.up, on: &wire, at: now) }
    }

    @inline(__always)
    private mutating func acknowledge(on wire: inout LinkWire, _ ends: inout ConnectionEnds, at now: Instant) {
        ends.down.receiver.acknowledge()
        due = .max
        guard let there = wire.send(SimulatedLink.headerBytes, .up, over: &ends.path, at: now) else { return }
        let arrives = there.nanoseconds
        // After a change of the network, a new packet may overtake those in flight.
        if acknowledging < acknowledged, acknowledgements[acknowledged - 1].arrives > arrives { isBroken = true }
        add(Acknowledgement(arrives: arrives, segment: next, number: wire.queue.number()))
    }

    /// Informs the sender that all segments before one have arrived.
    @inline(__always)
    private mutating func take(_ coming: Acknowledgement, _ stream: inout SimulatedStream, at now: Instant) {
        acknowledging += 1
        guard coming.segment > first else { return }
        let car = cars[coming.segment - 1]
        stream.sender.acknowledge(
            inOrder: coming.segment - first,
            transmission: coming.segment - 1 + steady.transmissionOffset,
            next: end + steady.transmissionOffset,
            sent: car.sent,
            end: car.end,
            at: now
        )
        steady.preceding = Scoreboard.Transmission(segment: coming.segment - 1, at: Instant(nanoseconds: car.sent))
        steady.first = coming.segment
        stream.seenLog = coming.segment + steady.logOffset
    }

    /// Sends segments within the window, and schedules the sender's deadline.
    @inline(__always)
    mutating func send(on wire: inout LinkWire, _ ends: inout ConnectionEnds, at now: Instant) {
        let waited = ends.down.sender.unsentBytes
        while let bytes = ends.down.sender.next(afterSegments: end - first, at: now) {
            if end - first > cars.mask { cars.grow(first..<end) }
            let there = wire.send(bytes + SimulatedLink.headerBytes, .down, over: &ends.path, at: now)
            lastEnd += bytes
            let arrives = there?.nanoseconds ?? Self.lost
            if arrives < lastArrival { isBroken = true } else if there != nil { lastArrival = arrives }
            let number = there == nil ? 0 : wire.queue.number()
            cars[end] = Car(sent: now.nanoseconds, arrives: arrives, end: lastEnd, number: number)
            steady.end += 1
        }
        ends.down.hasSent(waited: waited, on: &wire, at: now)
    }
}
