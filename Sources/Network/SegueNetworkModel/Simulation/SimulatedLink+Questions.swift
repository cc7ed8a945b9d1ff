package import SegueBase

/// Datagram queries, for name resolution.
extension SimulatedLink {
    /// The Ethernet, IP, and UDP headers.
    private static let datagramBytes = 42

    /// Sends a DNS query for a name over the link.
    ///
    /// A lost packet is repeated once after five seconds, like Linux's resolver (resolv.conf(5)).
    /// ``Output/connected(_:)`` reports the response, ``Output/unanswered(_:)`` its absence.
    ///
    /// - Returns: The identifier of the query, like that of a connection.
    package func ask(for name: String, at now: Instant) -> Connection {
        // Header, name with its lengths, type, and class; a response repeats them and adds an address (RFC 1035,
        // section 4).
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
