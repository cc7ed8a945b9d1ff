package import SegueBase

/// Datagram queries, for name resolution.
extension SimulatedLink {
    /// Sends a DNS query for a name over the link.
    ///
    /// A lost packet is repeated once after five seconds. ``LinkOutput/connected(_:)`` reports the response,
    /// ``LinkOutput/unanswered(_:)`` its absence.
    ///
    /// - Returns: The identifier of the query, like that of a connection.
    package func ask(for name: String, at now: Instant) -> Connection {
        let peer = begin(at: now)
        peer.question = SimulatedConnection.Question(forName: name)
        peer.sendSyn(attempt: 0, on: &wire, at: now)
        return peer.id
    }
}
