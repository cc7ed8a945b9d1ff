internal import SegueBase

/// The processing of packets and timers.
extension SimulatedLink {
    // The size of a SYN with its options, and the maximum number of attempts.
    private static let synBytes = 74
    private static let mostSyns = 7

    func handle(_ happening: Happening, _ connection: Connection, _ peer: SimulatedConnection, at now: Instant) {
        switch happening {
        case .synAtServer:
            let bytes = peer.question?.bytes.answer ?? Self.synBytes
            guard peer.isOpen, let there = wire.send(bytes, .down, over: &peer.ends.path, at: now) else { return }
            plan(.synAnswerAtClient, connection, at: there)
        case .synAnswerAtClient: connected(connection, peer, at: now)
        case .synTimeout(let attempt):
            guard !peer.isConnected else { return }
            guard attempt < peer.question.map({ $0.attempts - 1 }) ?? Self.mostSyns else {
                forget(connection, peer)
                return tell(.unanswered(connection), at: now)
            }
            sendSyn(connection, peer, attempt: attempt + 1, at: now)
        case .handshakeEndAtServer: accept(connection, peer, at: now)
        case .segment(let direction, let arrival, let logCount):
            guard direction == .up ? !peer.isAbandonedByServer : peer.isOpen else { return }
            if direction == .up { accept(connection, peer, at: now) }
            if direction == .down, peer.isLeft, peer.ends.down.sender.written > peer.ends.down.delivered {
                return close(connection, at: now)
            }
            peer.ends.isAcknowledged(direction.opposite, upTo: logCount, at: now)
            receive(direction, arrival, connection, peer, at: now)
            if !peer.isForgotten { sendSegments(direction.opposite, peer, at: now) }
        case .acknowledgementDue(let direction): peer.ends.stopWaiting(direction, on: &wire, at: now)
        case .acknowledgement(let direction, let logCount):
            guard direction == .up ? peer.isOpen : !peer.isAbandonedByServer else { return }
            peer.ends.isAcknowledged(direction, upTo: logCount, at: now)
            sendSegments(direction, peer, at: now)
        case .senderDeadline(let direction):
            (peer.ends[direction].deadline, peer.ends[direction].deadlineTimer) = (nil, nil)
            guard peer.ends[direction].sender.deadline != nil else { return }
            // A client that has left does not repeat its FIN forever to an unreachable server.
            if direction == .up, peer.isLeft, peer.ends.up.sender.backoff > 2 { return close(connection, at: now) }
            peer.ends.expire(direction, on: &wire, at: now)
            sendSegments(direction, peer, at: now)
        case .reset(let direction):
            forget(connection, peer)
            tell(.reset(connection, direction), at: now)
        case .handover:
            wire.lanes.handOver(at: now)
            forget(connection, peer)
            for direction in LinkDirection.allCases { tell(.reset(connection, direction), at: now) }
        case .answer(let headBytes, let bodyBytes):
            peer.answersDue -= 1
            write(headBytes, .down, on: connection, endsSegment: true, at: now)
            write(bodyBytes, .down, on: connection, at: now)
        }
    }

    func sendSyn(_ connection: Connection, _ peer: SimulatedConnection, attempt: Int, at now: Instant) {
        if let there = wire.send(peer.question?.bytes.question ?? Self.synBytes, .up, over: &peer.ends.path, at: now) {
            plan(.synAtServer, connection, at: there)
        }
        // RFC 6298: one second, then doubling.
        let patience = peer.question?.patience ?? .seconds(1 << attempt)
        peer.handshakeTimer = plan(.synTimeout(attempt: attempt), connection, at: now + patience)
    }

    private func connected(_ connection: Connection, _ peer: SimulatedConnection, at now: Instant) {
        guard peer.isOpen, !peer.isConnected else { return }
        guard peer.question == nil else {
            forget(connection, peer)
            return tell(.connected(connection), at: now)
        }
        peer.isConnected = true
        wire.drop(&peer.handshakeTimer)
        peer.ends.down.sender.measureHandshake(now - peer.began)
        peer.ends.up.sender.measureHandshake(now - peer.began)
        // A lost final acknowledgement of the handshake would be repeated; that is not modeled.
        plan(.handshakeEndAtServer, connection, at: surely(.up, peer, at: now))
        tell(.connected(connection), at: now)
        sendSegments(.up, peer, at: now)
    }

    private func accept(_ connection: Connection, _ peer: SimulatedConnection, at now: Instant) {
        guard !peer.isAccepted else { return }
        peer.isAccepted = true
        tell(.accepted(connection), at: now)
        sendSegments(.down, peer, at: now)
    }

    func sendSegments(_ direction: LinkDirection, _ peer: SimulatedConnection, at now: Instant) {
        guard peer.maySend(direction) else { return }
        peer.ends.sendSegments(direction, on: &wire, at: now)
    }

    /// Sends a packet without payload, and returns its arrival; a lost one counts as not queued.
    func surely(_ direction: LinkDirection, _ peer: SimulatedConnection, at now: Instant) -> Instant {
        wire.send(Self.headerBytes, direction, over: &peer.ends.path, at: now)
            ?? now + wire.lanes.delay(direction, of: peer.ends.path, at: now)
    }

    private func receive(
        _ direction: LinkDirection,
        _ arrival: Receiver.Arrival,
        _ connection: Connection,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        let answer = peer.ends.receive(arrival, direction)
        if let segments = answer.inOrder { deliver(direction, segments, connection, peer, at: now) }
        guard !peer.isForgotten else { return }
        peer.ends.answer(answer, direction, on: &wire, at: now)
    }

    /// Processes segments that have arrived without a gap.
    private func deliver(
        _ direction: LinkDirection,
        _ segments: Int,
        _ connection: Connection,
        _ peer: SimulatedConnection,
        at now: Instant
    ) {
        if peer.ends[direction].hasCome(segments: segments, at: now) {
            if let tls = peer.tls {
                advance(tls, direction, connection, at: now)
            } else if let news = peer.ends.news(direction, at: now) {
                tell(news, at: now)
            }
        }
        guard peer.ends[direction].sender.isFinished, segments == peer.ends[direction].sender.sentSegments else {
            return
        }
        peer.ends[direction].isDelivered = true
        tell(.finished(connection, direction), at: now)
        if peer.ends[direction.opposite].isDelivered { forget(connection, peer) }
    }

    private func forget(_ connection: Connection, _ peer: SimulatedConnection) {
        wire.drop(&peer.handshakeTimer)
        wire.drop(&peer.handoverTimer)
        peer.isForgotten = true
        for direction in LinkDirection.allCases {
            wire.drop(&peer.ends[direction].acknowledgementTimer)
            peer.ends[direction].dropDeadline(on: &wire)
        }
        remove(connection)
    }

    @discardableResult
    func plan(_ happening: Happening, _ connection: Connection, at instant: Instant) -> SimulatedStream.Timer {
        wire.plan(happening, of: connection, at: instant)
    }
}
