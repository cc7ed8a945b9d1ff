package import SegueBase

/// Questions of one packet, as names are resolved.
extension SimulatedLink {
    /// Ethernet, IP and UDP headers.
    private static let datagramBytes = 42

    /// Asks for the addresses of a name: a question crosses the link, and its answer comes back.
    ///
    /// A packet that is lost is sent again after five seconds, once, as the resolver of Linux does it (resolv.conf(5)).
    /// ``Output/connected(_:)`` tells of the answer, ``Output/unanswered(_:)`` that there is none.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - now: When.
    /// - Returns: A name for the question, as connections have it.
    package func ask(for name: String, at now: Instant) -> Connection {
        // Header, name with its lengths, type and class; an answer repeats it, with one address (RFC 1035, section 4).
        let question = Self.datagramBytes + 12 + min(name.utf8.count, 255) + 2 + 4
        let (connection, peer) = begin(at: now)
        peer.question = SimulatedConnection.Question(
            bytes: (question, question + 16),
            patience: .seconds(5),
            attempts: 2
        )
        sendSyn(connection, peer, attempt: 0, at: now)
        return connection
    }
}
