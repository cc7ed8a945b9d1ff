package import SegueBase

/// HTTP/1.1 exchanges: requests and responses in turn on a connection.
extension SimulatedLink {
    /// Sends a request, at once or after the handshakes of TCP and TLS.
    ///
    /// - Precondition: The previous response is complete.
    package func request(bytes: Int, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        leaveTrain()
        peer.request(bytes: bytes, on: &wire, at: now)
    }

    /// Secures a new connection with TLS; a request waits until the handshake is complete.
    ///
    /// - Parameters:
    ///   - connection: The connection, immediately after ``connect(isEstablished:at:)``.
    package func secure(_ version: TLSVersion, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        leaveTrain()
        peer.secure(version, on: &wire, at: now)
    }

    /// Schedules a response, whose head is a segment of its own.
    package func respond(headBytes: Int, bodyBytes: Int, on connection: Connection, at instant: Instant) {
        peers[connection]?.answersDue += 1
        wire.plan(.answer(headBytes: headBytes, bodyBytes: bodyBytes), of: connection, at: instant)
    }

    /// Ends a connection that its client has left, from the server's end, unless a response is due or in flight.
    package func farewell(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.answersDue == 0, isResting(.down, on: connection) else { return }
        finish(.down, on: connection, at: now)
    }

    /// Limits the reports of the current response: until it has this many bytes, or until something arrives after an
    /// instant.
    ///
    /// Each new request is reported in full again.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes, including the head.
    ///   - instant: The time from which on any arrival is reported.
    package func expect(bytes: Int, orFrom instant: Instant, on connection: Connection) {
        guard let peer = peers[connection] else { return }
        peer.ends.exchange?.newsBytes = bytes
        peer.ends.exchange?.newsInstant = instant
    }

    /// Records the parts of the current response without reporting them.
    package func gather(_ parts: ResponseParts, on connection: Connection) {
        guard let peer = peers[connection] else { return }
        peer.ends.exchange?.gathering = .init(parts: parts)
    }

    /// The size of the response at the last recorded part, including the head, and its time; nil if none was recorded.
    package func notedPart(on connection: Connection) -> (bytes: Int, at: Instant)? {
        guard let peer = peers[connection] else { return nil }
        return peer.ends.exchange?.gathering?.noted
    }

    /// The time of the last arrival at the client, reported or not; nil if the connection has ended.
    package func latestArrival(on connection: Connection) -> Instant? {
        guard let peer = peers[connection] else { return nil }
        return peer.ends.down.deliveredAt
    }
}
