internal import SegueBase

/// The steady part of a download, worked out in rows of plain numbers: segments come down in order, their
/// acknowledgements go up, and nothing is missing.
///
/// It does what ``SimulatedLink/handle(_:_:_:at:)`` does with these events, to the nanosecond and in the same order. While
/// it runs, the arrays of sender and receiver and the rows of the link's queue are empty; ``leave(to:)`` fills them as if
/// there had been no train. Windows, timers and counts stay where they are.
final class Train {
    let peer: SimulatedConnection

    var connection: LinkConnection { peer.ends.connection }

    /// When the next of it happens; nil where nothing is under way.
    var nextInstant: Instant? {
        let next = course.nextInstant
        return next == .max ? nil : Instant(nanoseconds: next)
    }

    /// How much is left to happen.
    var count: Int {
        course.end - course.next + course.acknowledged - course.acknowledging + (course.due == .max ? 0 : 1)
    }

    private var course: TrainCourse

    /// A train of what is under way on a connection for which ``SimulatedConnection/isFlowing`` holds; it leaves the queue.
    ///
    /// - Returns: Nil where something is missing, or something else is under way on the link.
    static func board(_ peer: SimulatedConnection, _ queue: inout LinkQueue) -> Train? {
        guard let steady = peer.ends.down.steady,
            let rows = queue.takeTrain(
                of: peer.ends.connection,
                steady,
                knowing: peer.ends.up.seenLog,
                hasTimer: peer.ends.down.acknowledgementTimer != nil
            )
        else { return nil }
        return Train(peer, steady, rows)
    }

    /// A train of an answer that is about to be sent on a connection on which nothing else is under way.
    ///
    /// - Returns: Nil where something is, or is missing.
    static func depart(_ peer: SimulatedConnection, on wire: inout LinkWire) -> Train? {
        guard peer.mayDepart, peer.ends.down.sender.underWay == 0, let steady = peer.ends.down.steady else {
            return nil
        }
        // The first segment goes out at once, and acknowledges what has come.
        peer.ends.up.receiver.acknowledge()
        wire.drop(&peer.ends.up.acknowledgementTimer)
        guard wire.queue.hasEmptyRows else { return nil }
        let train = Train(peer, steady)
        train.course.acknowledgesUp = peer.ends.up.receiver.log.endIndex
        peer.ends.down.sender.empty()
        peer.ends.down.receiver.empty()
        return train
    }

    private init(_ peer: SimulatedConnection, _ steady: SimulatedStream.Steady) {
        self.peer = peer
        course = TrainCourse(steady, lastEnd: peer.ends.down.sender.lastEnd)
    }

    private convenience init(
        _ peer: SimulatedConnection,
        _ steady: SimulatedStream.Steady,
        _ rows: LinkQueue.TrainRows
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
        peer.ends.down.sender.empty()
        peer.ends.down.receiver.empty()
    }

    deinit { course.deallocate() }

    /// Lets all happen that belongs to it, up to a limit and what else happens on the link, or, where the owner asks for
    /// that, through the instant of the first news.
    ///
    /// - Returns: When the last of it happened; zero where nothing did.
    func run(on wire: inout LinkWire, until limit: Instant, stopsAtNews: Bool) -> Instant {
        // Worked on in place of a property, which would be looked after at every access.
        var course = course
        defer { self.course = course }
        return course.run(on: &wire, &peer.ends, until: limit.nanoseconds, stopsAtNews: stopsAtNews)
    }

    /// Sends what the window allows.
    func send(on wire: inout LinkWire, at now: Instant) { course.send(on: &wire, &peer.ends, at: now) }

    /// Whether a packet is missing or overtakes another, so that it cannot go on.
    var isBroken: Bool { course.isBroken }

    /// Hands what is under way back to the sender, the receiver and the queue.
    func leave(to queue: inout LinkQueue) {
        let steady = course.steady
        peer.ends.down.sender.resume(steady) {
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

    private func entry(_ happening: SimulatedLink.Happening) -> SimulatedLink.Entry {
        SimulatedLink.Entry(connection: connection, happening: happening)
    }
}
