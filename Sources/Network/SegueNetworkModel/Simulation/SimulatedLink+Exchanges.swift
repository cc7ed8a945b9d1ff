package import SegueBase

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
        peer.ends.exchange = .init(
            requestEnd: peer.ends.up.sender.written + bytes,
            answerBegins: peer.ends.down.sender.written
        )
        write(bytes, .up, on: connection, at: now)
    }

    /// Lets the server begin to answer, at an instant that is not in the past: with a head in a segment of its own, and
    /// a body.
    package func respond(headBytes: Int, bodyBytes: Int, on connection: Connection, at instant: Instant) {
        peers[connection]?.answersDue += 1
        plan(.answer(headBytes: headBytes, bodyBytes: bodyBytes), connection, at: instant)
    }

    /// The server ends a connection that its client has left, unless an answer is due or under way.
    package func farewell(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.answersDue == 0, isResting(.down, on: connection) else { return }
        finish(.down, on: connection, at: now)
    }

    /// Asks to be told of the answer under way only once so much of it has come, or something after an instant; before
    /// that, and for each new request, all that comes is told.
    ///
    /// - Parameters:
    ///   - bytes: How much, the head included.
    ///   - instant: From when on anything is news.
    ///   - connection: The connection.
    package func expect(bytes: Int, orFrom instant: Instant, on connection: Connection) {
        guard let peer = peers[connection] else { return }
        peer.ends.exchange?.newsBytes = bytes
        peer.ends.exchange?.newsInstant = instant
    }

    /// The parts in which a client takes an answer that it is not told of.
    package struct Parts: Sendable {
        /// How many bytes make a part.
        package let size: Int
        /// After how long whatever has come is one.
        package let delay: Duration
        /// How much of the answer ends this, the head included: that much is told.
        package let whole: Int
        /// From when on each part is told.
        package let end: Instant

        /// The parts of an answer.
        package init(size: Int, delay: Duration, whole: Int, end: Instant) {
            (self.size, self.delay, self.whole, self.end) = (size, delay, whole, end)
        }
    }

    /// Has the parts of the answer under way noted, of which the first is the next news, and not told.
    package func gather(_ parts: Parts, on connection: Connection) {
        guard let peer = peers[connection] else { return }
        peer.ends.exchange?.gathering = .init(parts: parts)
    }

    /// How much of the answer had come with the last part that was noted, the head included, and when; nil where none was.
    package func notedPart(on connection: Connection) -> (bytes: Int, at: Instant)? {
        guard let peer = peers[connection] else { return nil }
        return peer.ends.exchange?.gathering?.noted
    }

    /// When bytes towards the client came last, told or not; nil where the connection is gone.
    package func latestArrival(on connection: Connection) -> Instant? {
        guard let peer = peers[connection] else { return nil }
        return peer.ends.down.deliveredAt
    }
}
