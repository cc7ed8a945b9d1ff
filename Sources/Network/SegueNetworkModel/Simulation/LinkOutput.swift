/// An event of a link for its owner.
package enum LinkOutput: Sendable, Equatable {
    /// The client has received the answer to its handshake.
    case connected(LinkConnection)
    /// The server has received the end of the handshake.
    case accepted(LinkConnection)
    /// The handshake failed after the maximum number of attempts.
    case unanswered(LinkConnection)
    /// The number of bytes delivered in order in a direction, since the connection began.
    case delivered(LinkConnection, LinkDirection, bytes: Int)
    /// A direction has ended.
    case finished(LinkConnection, LinkDirection)
    /// A reset has arrived in this direction; the connection has ended.
    ///
    /// A change of the client's address ends a connection for both ends, with a reset for each.
    case reset(LinkConnection, LinkDirection)
    /// The sender of a direction should write more.
    case hasRoom(LinkConnection, LinkDirection)
    /// A request has arrived at the server, for ``SimulatedLink/respond(headBytes:bodyBytes:on:at:)``.
    case requested(LinkConnection)
    /// The number of response bytes delivered in order, including the head.
    case received(LinkConnection, bytes: Int)
}
