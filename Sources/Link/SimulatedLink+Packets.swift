internal import Timeline

/// What packets do: they come, are answered, are lost and sent again.
extension SimulatedLink {
    // The size of a SYN with its options, and what else ends of connections are patient with.
    private static let synBytes = 74
    static let delayedAcknowledgement = Duration.milliseconds(40)
    private static let mostSyns = 7

    func handle(_ happening: Happening, _ connection: Connection, _ peer: SimulatedConnection, at now: Instant) {
        switch happening {
        case .synAtServer:
            guard peer.isOpen, let there = send(Self.synBytes, .down, peer, at: now) else { return }
            plan(.synAnswerAtClient, connection, at: there)
        case .synAnswerAtClient: connected(connection, peer, at: now)
        case .synTimeout(let attempt):
            guard !peer.isConnected else { return }
            guard attempt < Self.mostSyns else {
                forget(connection, peer)
                return tell(.unanswered(connection), at: now)
            }
            sendSyn(connection, peer, attempt: attempt + 1, at: now)
        case .handshakeEndAtServer: accept(connection, peer, at: now)
        case .segment(let direction, let arrival, let logCount):
            guard direction == .up ? !peer.isAbandonedByServer : peer.isOpen else { return }
            if direction == .up { accept(connection, peer, at: now) }
            acknowledged(direction.opposite, upTo: logCount, peer, at: now)
            receive(direction, arrival, connection, peer, at: now)
            if !peer.isForgotten { sendSegments(direction.opposite, connection, peer, at: now) }
        case .acknowledgementDue(let direction):
            peer[direction].acknowledgementTimer = nil
            if peer[direction].receiver.owesAcknowledgement { acknowledge(direction, connection, peer, at: now) }
        case .acknowledgement(let direction, let logCount):
            guard direction == .up ? peer.isOpen : !peer.isAbandonedByServer else { return }
            acknowledged(direction, upTo: logCount, peer, at: now)
            sendSegments(direction, connection, peer, at: now)
        case .senderDeadline(let direction): expire(direction, connection, peer, at: now)
        case .reset(let direction):
            forget(connection, peer)
            tell(.reset(connection, direction), at: now)
        case .handover:
            lanes.handOver(at: now)
            forget(connection, peer)
            for direction in LinkDirection.allCases { tell(.reset(connection, direction), at: now) }
        case .answer(let headBytes, let bodyBytes):
            write(headBytes, .down, on: connection, endsSegment: true, at: now)
            write(bodyBytes, .down, on: connection, at: now)
        }
    }

    func sendSyn(_ connection: Connection, _ peer: SimulatedConnection, attempt: Int, at now: Instant) {
        if let there = send(Self.synBytes, .up, peer, at: now) { plan(.synAtServer, connection, at: there) }
        // RFC 6298: a second, then twice as long each time.
        peer.handshakeTimer = plan(.synTimeout(attempt: attempt), connection, at: now + .seconds(1 << attempt))
    }

    private func connected(_ connection: Connection, _ peer: SimulatedConnection, at now: Instant) {
        guard peer.isOpen, !peer.isConnected else { return }
        peer.isConnected = true
        drop(&peer.handshakeTimer)
        peer.down.sender.measureHandshake(now - peer.began)
        peer.up.sender.measureHandshake(now - peer.began)
        // Were it lost, the server would answer again and get another; that is not followed.
        plan(.handshakeEndAtServer, connection, at: surely(.up, peer, at: now))
        tell(.connected(connection), at: now)
        sendSegments(.up, connection, peer, at: now)
    }

    private func accept(_ connection: Connection, _ peer: SimulatedConnection, at now: Instant) {
        guard !peer.isAccepted else { return }
        peer.isAccepted = true
        tell(.accepted(connection), at: now)
        sendSegments(.down, connection, peer, at: now)
    }

    func sendSegments(
        _ direction: LinkDirection,
        _ connection: Connection,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        guard peer.maySend(direction) else { return }
        let waited = peer[direction].sender.unsentBytes
        while let transmission = peer[direction].sender.next(at: now) {
            send(transmission, direction, connection, peer, at: now)
        }
        if waited >= Self.lowWater, peer[direction].sender.unsentBytes < Self.lowWater {
            tell(.hasRoom(connection, direction), at: now)
        }
        planDeadline(direction, connection, peer)
    }

    private func send(
        _ transmission: Int,
        _ direction: LinkDirection,
        _ connection: Connection,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        let (segment, bytes) = peer[direction].sender.content(of: transmission)
        // What has come the other way is acknowledged along with it.
        peer[direction.opposite].receiver.acknowledge()
        drop(&peer[direction.opposite].acknowledgementTimer)
        let logCount = peer[direction.opposite].receiver.log.endIndex
        guard let there = send(bytes + Self.headerBytes, direction, peer, at: now) else { return }
        let arrival = Receiver.Arrival(transmission: transmission, segment: segment)
        plan(.segment(direction, arrival, logCount: logCount), connection, at: there)
    }

    /// Sends a packet; says when it is there, or nil when it is lost.
    private func send(_ bytes: Int, _ direction: LinkDirection, _ peer: SimulatedConnection, at now: Instant)
        -> Instant?
    {
        lanes.send(bytes, direction, at: now, on: &peer.path)?.arrives
    }

    /// Sends a packet without payload, and says when it is there; were it lost, as if it had taken no time on the line.
    func surely(_ direction: LinkDirection, _ peer: SimulatedConnection, at now: Instant) -> Instant {
        send(Self.headerBytes, direction, peer, at: now) ?? now + lanes.delay(direction, of: peer.path, at: now)
    }

    private func receive(
        _ direction: LinkDirection,
        _ arrival: Receiver.Arrival,
        _ connection: Connection,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        let sent = peer[direction].sender.hasUnsent ? nil : peer[direction].sender.sentSegments
        let answer = peer[direction].receiver.receive(arrival, ofAll: sent)
        if let segments = answer.inOrder { deliver(direction, segments, connection, peer, at: now) }
        guard !peer.isForgotten else { return }
        if answer.acknowledgesNow {
            acknowledge(direction, connection, peer, at: now)
        } else if peer[direction].acknowledgementTimer == nil {
            let due = now + Self.delayedAcknowledgement
            peer[direction].acknowledgementTimer = plan(.acknowledgementDue(direction), connection, at: due)
        }
    }

    /// Segments have come without a gap up to a number.
    private func deliver(
        _ direction: LinkDirection,
        _ segments: Int,
        _ connection: Connection,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        let bytes = peer[direction].sender.bytes(inSegments: segments)
        if bytes > peer[direction].delivered {
            peer[direction].delivered = bytes
            peer[direction].deliveredAt = now
            if let tls = peer.tls {
                advance(tls, direction, connection, at: now)
            } else if let output = peer.delivery(direction, on: connection, at: now) {
                tell(output, at: now)
            }
        }
        guard peer[direction].sender.isFinished, segments == peer[direction].sender.sentSegments else { return }
        peer[direction].isDelivered = true
        tell(.finished(connection, direction), at: now)
        if peer[direction.opposite].isDelivered { forget(connection, peer) }
    }

    /// Sends an acknowledgement of all that has come in a direction.
    func acknowledge(
        _ direction: LinkDirection,
        _ connection: Connection,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        peer[direction].receiver.acknowledge()
        drop(&peer[direction].acknowledgementTimer)
        guard let there = send(Self.headerBytes, direction.opposite, peer, at: now) else { return }
        let happening = Happening.acknowledgement(direction, logCount: peer[direction].receiver.log.endIndex)
        plan(happening, connection, at: there)
    }

    /// The sender of a direction learns what has come.
    private func acknowledged(
        _ direction: LinkDirection,
        upTo logCount: Int,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        peer[direction].isAcknowledged(upTo: logCount, at: now)
    }

    private func expire(
        _ direction: LinkDirection,
        _ connection: Connection,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        (peer[direction].deadline, peer[direction].deadlineTimer) = (nil, nil)
        guard let deadline = peer[direction].sender.deadline else { return }
        if deadline <= now, let transmission = peer[direction].sender.expire(at: now) {
            send(transmission, direction, connection, peer, at: now)
        }
        sendSegments(direction, connection, peer, at: now)
    }

    /// Keeps one deadline planned for each sender; one that moved later is looked at again when it comes.
    private func planDeadline(_ direction: LinkDirection, _ connection: Connection, _ peer: SimulatedConnection) {
        guard let deadline = peer[direction].sender.deadline else { return dropDeadline(direction, peer) }
        if let planned = peer[direction].deadline, planned <= deadline { return }
        drop(&peer[direction].deadlineTimer)
        peer[direction].deadline = deadline
        peer[direction].deadlineTimer = plan(.senderDeadline(direction), connection, at: deadline)
    }

    func dropDeadline(_ direction: LinkDirection, _ peer: SimulatedConnection) {
        drop(&peer[direction].deadlineTimer)
        peer[direction].deadline = nil
    }

    private func forget(_ connection: Connection, _ peer: SimulatedConnection) {
        drop(&peer.handshakeTimer)
        drop(&peer.handoverTimer)
        peer.isForgotten = true
        for direction in LinkDirection.allCases {
            drop(&peer[direction].acknowledgementTimer)
            dropDeadline(direction, peer)
        }
        remove(connection)
    }

    func drop(_ timer: inout SimulatedStream.Timer?) {
        if let token = timer { queue.cancel(token) }
        timer = nil
    }

    @discardableResult
    func plan(_ happening: Happening, _ connection: Connection, at instant: Instant) -> SimulatedStream.Timer {
        queue.schedule(Entry(connection: connection, happening: happening), at: instant)
    }
}
