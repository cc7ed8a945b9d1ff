internal import Timeline

/// Names a connection of a link.
package struct LinkConnection: Hashable, Sendable {
    let number: Int
}

/// The way that bytes take over a link.
package enum LinkDirection: Sendable, Hashable, CaseIterable {
    /// Towards the client.
    case down
    /// Towards the server.
    case up

    /// The other way.
    package var opposite: LinkDirection { self == .down ? .up : .down }
}

/// One direction of a connection: its sender at one end and its receiver at the other.
struct SimulatedStream {
    typealias Timer = EventQueue<SimulatedLink.Entry>.Token

    var sender: Sender
    var receiver: Receiver
    /// What the sender knows of the receiver's log.
    var seenLog = 0
    var deadline: Instant?
    var deadlineTimer: Timer?
    var acknowledgementTimer: Timer?
    /// How many bytes have come in order.
    var delivered = 0
    /// Whether all of it has come, the end included.
    var isDelivered = false
}

/// Both ends of a connection.
final class SimulatedConnection {
    let began: Instant
    var path: Lanes.Path
    var down: SimulatedStream
    var up: SimulatedStream
    /// Whether the client knows that the server has answered the handshake.
    var isConnected = false
    /// Whether the server knows that the client does.
    var isAccepted = false
    var handshakeTimer: SimulatedStream.Timer?
    /// When the client's address changes, which ends the connection.
    var handoverTimer: SimulatedStream.Timer?
    /// Whether the client has not closed it.
    var isOpen = true
    var isAbandonedByServer = false

    /// The request under way, where somebody asks and answers over it: where it ends in the stream up, and where the
    /// answer begins in the stream down.
    var exchange: (requestEnd: Int, answerBegins: Int)?

    init(began: Instant, path: Lanes.Path, down: SimulatedStream, up: SimulatedStream) {
        (self.began, self.path, self.down, self.up) = (began, path, down, up)
    }

    subscript(direction: LinkDirection) -> SimulatedStream {
        _read {
            switch direction {
            case .down: yield down
            case .up: yield up
            }
        }
        _modify {
            switch direction {
            case .down: yield &down
            case .up: yield &up
            }
        }
    }

    /// Whether the sender of a direction may send: it knows of the handshake's end.
    func maySend(_ direction: LinkDirection) -> Bool { direction == .down ? isAccepted : isConnected }
}
