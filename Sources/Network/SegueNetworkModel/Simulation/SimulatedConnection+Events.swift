internal import SegueBase

/// The processing of packets and timers.
extension SimulatedConnection {
    // The size of a SYN with its options, and the maximum number of attempts.
    private static let synBytes = 74
    private static let mostSyns = 7

    /// Processes an event of this connection, except the beginning of a response.
    func handle(_ event: LinkEvent, on wire: inout LinkWire, at now: Instant) {
        switch event {
        case .synAtServer:
            let bytes = question?.bytes.answer ?? Self.synBytes
            guard isOpen, let there = wire.send(bytes, .down, over: &ends.path, at: now) else { return }
            wire.plan(.synAnswerAtClient, of: id, at: there)
        case .synAnswerAtClient: connected(on: &wire, at: now)
        case .synTimeout(let attempt):
            guard !isConnected else { return }
            guard attempt < question.map({ $0.attempts - 1 }) ?? Self.mostSyns else {
                forget(on: &wire)
                return wire.tell(.unanswered(id), at: now)
            }
            sendSyn(attempt: attempt + 1, on: &wire, at: now)
        case .handshakeEndAtServer: accept(on: &wire, at: now)
        case .segment(let direction, let arrival, let logCount):
            guard direction == .up ? !isAbandonedByServer : isOpen else { return }
            if direction == .up { accept(on: &wire, at: now) }
            if direction == .down, isLeft, ends.down.sender.written > ends.down.delivered {
                return close(on: &wire, at: now)
            }
            ends.isAcknowledged(direction.opposite, upTo: logCount, at: now)
            receive(arrival, direction, on: &wire, at: now)
            if !isForgotten { sendSegments(direction.opposite, on: &wire, at: now) }
        case .acknowledgementDue(let direction): ends.stopWaiting(direction, on: &wire, at: now)
        case .acknowledgement(let direction, let logCount):
            guard direction == .up ? isOpen : !isAbandonedByServer else { return }
            ends.isAcknowledged(direction, upTo: logCount, at: now)
            sendSegments(direction, on: &wire, at: now)
        case .senderDeadline(let direction):
            (ends[direction].deadline, ends[direction].deadlineTimer) = (nil, nil)
            guard ends[direction].sender.deadline != nil else { return }
            // A client that has left does not repeat its FIN forever to an unreachable server.
            if direction == .up, isLeft, ends.up.sender.backoff > 2 { return close(on: &wire, at: now) }
            ends.expire(direction, on: &wire, at: now)
            sendSegments(direction, on: &wire, at: now)
        case .reset(let direction):
            forget(on: &wire)
            wire.tell(.reset(id, direction), at: now)
        case .handover:
            wire.lanes.handOver(at: now)
            forget(on: &wire)
            for direction in LinkDirection.allCases { wire.tell(.reset(id, direction), at: now) }
        case .answer: preconditionFailure("the link begins responses")
        }
    }

    func sendSyn(attempt: Int, on wire: inout LinkWire, at now: Instant) {
        if let there = wire.send(question?.bytes.question ?? Self.synBytes, .up, over: &ends.path, at: now) {
            wire.plan(.synAtServer, of: id, at: there)
        }
        // RFC 6298: one second, then doubling.
        let patience = question?.patience ?? .seconds(1 << attempt)
        handshakeTimer = wire.plan(.synTimeout(attempt: attempt), of: id, at: now + patience)
    }

    private func connected(on wire: inout LinkWire, at now: Instant) {
        guard isOpen, !isConnected else { return }
        guard question == nil else {
            forget(on: &wire)
            return wire.tell(.connected(id), at: now)
        }
        isConnected = true
        wire.drop(&handshakeTimer)
        ends.down.sender.measureHandshake(now - began)
        ends.up.sender.measureHandshake(now - began)
        // A lost final acknowledgement of the handshake would be repeated; that is not modeled.
        wire.plan(.handshakeEndAtServer, of: id, at: wire.sendHeader(.up, over: &ends.path, at: now))
        wire.tell(.connected(id), at: now)
        sendSegments(.up, on: &wire, at: now)
    }

    private func accept(on wire: inout LinkWire, at now: Instant) {
        guard !isAccepted else { return }
        isAccepted = true
        wire.tell(.accepted(id), at: now)
        sendSegments(.down, on: &wire, at: now)
    }

    private func receive(
        _ arrival: Receiver.Arrival,
        _ direction: LinkDirection,
        on wire: inout LinkWire,
        at now: Instant
    ) {
        let answer = ends.receive(arrival, direction)
        if let segments = answer.inOrder { deliver(segments, direction, on: &wire, at: now) }
        guard !isForgotten else { return }
        ends.answer(answer, direction, on: &wire, at: now)
    }

    /// Processes segments that have arrived without a gap.
    private func deliver(_ segments: Int, _ direction: LinkDirection, on wire: inout LinkWire, at now: Instant) {
        if ends[direction].hasCome(segments: segments, at: now) {
            if let tls {
                advance(tls, direction, on: &wire, at: now)
            } else if let news = ends.news(direction, at: now) {
                wire.tell(news, at: now)
            }
        }
        guard ends[direction].sender.isFinished, segments == ends[direction].sender.sentSegments else { return }
        ends[direction].isDelivered = true
        wire.tell(.finished(id, direction), at: now)
        if ends[direction.opposite].isDelivered { forget(on: &wire) }
    }

    private func forget(on wire: inout LinkWire) {
        wire.drop(&handshakeTimer)
        wire.drop(&handoverTimer)
        isForgotten = true
        for direction in LinkDirection.allCases {
            wire.drop(&ends[direction].acknowledgementTimer)
            ends[direction].dropDeadline(on: &wire)
        }
    }
}
