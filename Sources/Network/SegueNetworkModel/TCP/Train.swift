internal import SegueBase

/// The steady part of a download in plain arrays of numbers: segments come down in order, acknowledgements go up, and
/// nothing is missing.
///
/// The results equal those of ``SimulatedConnection/handle(_:on:at:)`` to the nanosecond and in the same order. While
/// it runs, the arrays of sender and receiver and the rows of the link's queue are empty; ``leave(to:)`` restores them.
/// Windows, timers, and counts stay in place.
final class Train {
    let peer: SimulatedConnection

    var connection: LinkConnection { peer.ends.connection }

    /// The time of its next event; nil if nothing is in flight.
    var nextInstant: Instant? {
        let next = course.nextInstant
        return next == .max ? nil : Instant(nanoseconds: next)
    }

    /// The number of its scheduled events.
    var count: Int {
        course.end - course.next + course.acknowledged - course.acknowledging + (course.due == .max ? 0 : 1)
    }

    private var course: TrainCourse

    /// Creates a train from the packets in flight on a connection with ``SimulatedConnection/isFlowing``, which leave
    /// the queue.
    ///
    /// - Returns: Nil if a segment is missing or the link has other events.
    static func board(_ peer: SimulatedConnection, _ queue: inout LinkQueue) -> Train? {
        guard let steady = peer.ends.down.steady,
            let rows = queue.takeTrain(
                of: peer.ends.connection,
                steady,
                knowing: peer.ends.up.seenLog,
                hasTimer: peer.ends.down.acknowledgementTimer != nil
            )
        else { return nil }
        return Train(peer, steady, with: rows)
    }

    /// Creates a train for a response on a connection with nothing else in flight.
    ///
    /// - Returns: Nil if something is in flight or missing.
    static func depart(_ peer: SimulatedConnection, on wire: inout LinkWire) -> Train? {
        guard peer.mayDepart, peer.ends.down.sender.underWay == 0, let steady = peer.ends.down.steady else {
            return nil
        }
        // The first segment departs at once, with the acknowledgement.
        peer.ends.up.receiver.acknowledge()
        wire.drop(&peer.ends.up.acknowledgementTimer)
        guard wire.queue.hasEmptyRows else { return nil }
        let train = Train(peer, steady)
        train.course.acknowledgesUp = peer.ends.up.receiver.log.endIndex
        peer.ends.down.sender.board.empty()
        peer.ends.down.receiver.empty()
        return train
    }

    private init(_ peer: SimulatedConnection, _ steady: SimulatedStream.Steady) {
        self.peer = peer
        course = TrainCourse(steady, lastEnd: peer.ends.down.sender.board.lastEnd)
    }

    private convenience init(
        _ peer: SimulatedConnection,
        _ steady: SimulatedStream.Steady,
        with rows: LinkQueue.TrainRows
    ) {
        self.init(peer, steady)
        for segment in steady.first..<steady.end {
            let (sent, end) = peer.ends.down.sender.car(segment)
            let item = segment < steady.next ? nil : rows.segments[segment - steady.next]
            course.cars[segment] = TrainCourse.Car(
                sent: sent,
                arrives: item?.instant.nanoseconds ?? (segment < steady.next ? 0 : TrainCourse.lost),
                end: end,
                number: item?.number ?? 0
            )
        }
        for (item, logCount) in rows.acknowledgements {
            course.add(
                TrainCourse.Acknowledgement(
                    arrives: item.instant.nanoseconds,
                    segment: logCount - steady.logOffset,
                    number: item.number
                )
            )
        }
        course.lastArrival = rows.segments.reduce(0) { max($0, $1?.instant.nanoseconds ?? 0) }
        if let timer = rows.timer { (course.due, course.dueNumber) = (timer.instant.nanoseconds, timer.number) }
        peer.ends.down.sender.board.empty()
        peer.ends.down.receiver.empty()
    }

    deinit { course.deallocate() }

    /// Processes its events up to the limit and up to other events of the link, or through the instant of the first
    /// output.
    ///
    /// - Returns: The time of the last event; zero if there was none.
    func run(on wire: inout LinkWire, until limit: Instant, stopsAtNews: Bool) -> Instant {
        // A local copy avoids the exclusivity checks of a property.
        var course = course
        defer { self.course = course }
        return course.run(on: &wire, &peer.ends, until: limit.nanoseconds, stopsAtNews: stopsAtNews)
    }

    /// Sends segments within the window.
    func send(on wire: inout LinkWire, at now: Instant) { course.send(on: &wire, &peer.ends, at: now) }

    /// True if a packet is missing or overtakes another one, which ends the train.
    var isBroken: Bool { course.isBroken }

    /// Returns the packets in flight to the sender, the receiver, and the queue.
    func leave(to queue: inout LinkQueue) {
        let steady = course.steady
        peer.ends.down.sender.board.resume(steady) {
            course.cars[$0].sent
        } end: {
            course.cars[$0].end
        }
        peer.ends.down.receiver.resume(steady)
        let upLog = peer.ends.up.receiver.log.endIndex
        for segment in steady.next..<steady.end where course.cars[segment].arrives != TrainCourse.lost {
            let car = course.cars[segment]
            let arrival = Receiver.Arrival(transmission: segment + steady.transmissionOffset, segment: segment)
            queue.putBack(entry(.segment(.down, arrival, logCount: upLog)), car.number, at: car.arrives)
        }
        for number in course.acknowledging..<course.acknowledged {
            let acknowledgement = course.acknowledgements[number]
            let logCount = acknowledgement.segment + steady.logOffset
            queue.putBack(
                entry(.acknowledgement(.down, logCount: logCount)),
                acknowledgement.number,
                at: acknowledgement.arrives
            )
        }
        peer.ends.down.acknowledgementTimer =
            course.due == .max
            ? nil : queue.putBack(entry(.acknowledgementDue(.down)), course.dueNumber, at: course.due)
        queue.hasPutBack()
    }

    private func entry(_ event: LinkEvent) -> LinkQueue.Entry {
        LinkQueue.Entry(connection: connection, event: event)
    }
}
