internal import Timeline

/// The steady part of a download: data come down, acknowledgements go up, and nothing else happens on the link.
///
/// It does what ``SimulatedLink/handle(_:_:_:at:)`` does with these events, to the nanosecond, without looking up
/// for each of them whom it concerns.
struct Flow {
    private let connection: LinkConnection
    private let exchange: SimulatedConnection.Exchange?
    private let upLog: Int
    private let knownUpLog: Int

    /// The flow of a connection for which ``SimulatedConnection/isFlowing`` holds.
    init(_ connection: LinkConnection, _ peer: SimulatedConnection) {
        self.connection = connection
        exchange = peer.exchange
        upLog = peer.up.receiver.log.endIndex
        knownUpLog = peer.up.seenLog
    }

    /// Lets all happen that belongs to it, up to a limit, to the first thing that does not, or, where the owner asks
    /// for that, through the instant of the first news.
    ///
    /// - Returns: When the last of it happened; zero where nothing did.
    func run(
        _ lanes: inout Lanes,
        _ path: inout Lanes.Path,
        _ stream: inout SimulatedStream,
        _ queue: inout LinkQueue,
        _ outputs: inout [(at: Instant, output: SimulatedLink.Output)],
        until limit: Instant,
        stopsAtNews: Bool
    ) -> Instant {
        var latest = Instant.zero
        var limit = limit
        while let (now, happening) = queue.popFlow(of: connection, knowing: knownUpLog, until: limit) {
            latest = now
            defer { if stopsAtNews, !outputs.isEmpty { limit = now } }
            switch happening {
            case .segment(_, let arrival, _):
                let sent = stream.sender.hasUnsent ? nil : stream.sender.sentSegments
                let answer = stream.receiver.receive(arrival, ofAll: sent)
                if let segments = answer.inOrder { deliver(segments, &stream, &outputs, at: now) }
                if answer.acknowledgesNow {
                    acknowledge(&lanes, &path, &stream, &queue, at: now)
                } else if stream.acknowledgementTimer == nil {
                    let due = Instant(nanoseconds: now.nanoseconds + Self.delay)
                    stream.acknowledgementTimer = plan(.acknowledgementDue(.down), &queue, at: due)
                }
            case .acknowledgementDue:
                stream.acknowledgementTimer = nil
                if stream.receiver.owesAcknowledgement { acknowledge(&lanes, &path, &stream, &queue, at: now) }
            case .acknowledgement(_, let logCount):
                stream.isAcknowledged(upTo: logCount, at: now)
                send(&lanes, &path, &stream, &queue, &outputs, at: now)
            default: break
            }
        }
        return latest
    }

    private static let delay = SimulatedLink.delayedAcknowledgement.wholeNanoseconds

    private func deliver(
        _ segments: Int,
        _ stream: inout SimulatedStream,
        _ outputs: inout [(at: Instant, output: SimulatedLink.Output)],
        at now: Instant
    ) {
        let bytes = stream.sender.bytes(inSegments: segments)
        guard bytes > stream.delivered else { return }
        stream.delivered = bytes
        stream.deliveredAt = now
        if let exchange {
            if let news = exchange.news(bytes: bytes, on: connection, at: now) { outputs.append((now, news)) }
        } else {
            outputs.append((now, .delivered(connection, .down, bytes: bytes)))
        }
    }

    private func acknowledge(
        _ lanes: inout Lanes,
        _ path: inout Lanes.Path,
        _ stream: inout SimulatedStream,
        _ queue: inout LinkQueue,
        at now: Instant
    ) {
        stream.receiver.acknowledge()
        if let timer = stream.acknowledgementTimer { queue.cancel(timer) }
        stream.acknowledgementTimer = nil
        guard let way = lanes.send(SimulatedLink.headerBytes, .up, at: now, on: &path) else { return }
        plan(.acknowledgement(.down, logCount: stream.receiver.log.endIndex), &queue, at: way.arrives)
    }

    /// Sends what the window allows, and keeps the sender's deadline planned.
    private func send(
        _ lanes: inout Lanes,
        _ path: inout Lanes.Path,
        _ stream: inout SimulatedStream,
        _ queue: inout LinkQueue,
        _ outputs: inout [(at: Instant, output: SimulatedLink.Output)],
        at now: Instant
    ) {
        let waited = stream.sender.unsentBytes
        while let transmission = stream.sender.next(at: now) {
            let (segment, bytes) = stream.sender.content(of: transmission)
            let size = bytes + SimulatedLink.headerBytes
            guard let way = lanes.send(size, .down, at: now, on: &path) else { continue }
            let arrival = Receiver.Arrival(transmission: transmission, segment: segment)
            plan(.segment(.down, arrival, logCount: upLog), &queue, at: way.arrives)
        }
        if waited >= SimulatedLink.lowWater, stream.sender.unsentBytes < SimulatedLink.lowWater {
            outputs.append((now, .hasRoom(connection, .down)))
        }
        stream.planDeadline(of: connection, &queue)
    }

    @discardableResult
    private func plan(
        _ happening: SimulatedLink.Happening,
        _ queue: inout LinkQueue,
        at instant: Instant
    ) -> LinkQueue.Token {
        queue.schedule(SimulatedLink.Entry(connection: connection, happening: happening), at: instant)
    }
}
