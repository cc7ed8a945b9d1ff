package import Timeline

/// Requests and responses, one after the other on a connection, as HTTP/1.1 has them.
extension SimulatedLink {
    /// Sends a request, at once or when the connection is there, its TLS handshake included.
    ///
    /// - Precondition: The answer to the request before has come whole.
    package func request(bytes: Int, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        guard peer.tls == nil else {
            peer.tls?.request = bytes
            return
        }
        peer.exchange = (peer.up.sender.written + bytes, peer.down.sender.written)
        write(bytes, .up, on: connection, at: now)
    }

    /// Lets the server begin to answer, at an instant that is not in the past: with a head in a segment of its own, and
    /// a body.
    package func respond(headBytes: Int, bodyBytes: Int, on connection: Connection, at instant: Instant) {
        plan(.answer(headBytes: headBytes, bodyBytes: bodyBytes), connection, at: instant)
    }
}

extension SimulatedConnection {
    /// What is to be told of the bytes that have come in a direction; nil of a part of a request.
    func delivery(_ direction: LinkDirection, on connection: LinkConnection) -> SimulatedLink.Output? {
        let bytes = self[direction].delivered
        guard let exchange else { return .delivered(connection, direction, bytes: bytes) }
        switch direction {
        case .down: return .received(connection, bytes: bytes - exchange.answerBegins)
        case .up: return bytes == exchange.requestEnd ? .requested(connection) : nil
        }
    }
}
