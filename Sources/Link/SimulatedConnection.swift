internal import Timeline

/// Names a connection of a link.
package struct LinkConnection: Hashable, Sendable, Comparable {
    let number: Int

    /// Whether the first began before the second.
    package static func < (left: LinkConnection, right: LinkConnection) -> Bool { left.number < right.number }
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
struct SimulatedStream: ~Copyable {
    typealias Timer = LinkQueue.Token

    var sender: Sender
    var receiver: Receiver
    /// What the sender knows of the receiver's log.
    var seenLog = 0
    var deadline: Instant?
    var deadlineTimer: Timer?
    var acknowledgementTimer: Timer?
    /// How many bytes have come in order.
    var delivered = 0
    /// When they came.
    var deliveredAt = Instant.zero
    /// Whether all of it has come, the end included.
    var isDelivered = false

    init(sender: consuming Sender, receiver: consuming Receiver) {
        self.sender = sender
        self.receiver = receiver
    }

    /// The sender learns what has come, up to a place in the receiver's log.
    mutating func isAcknowledged(upTo logCount: Int, at now: Instant) {
        guard logCount > seenLog else { return }
        sender.acknowledge(receiver.log, seenLog..<logCount, at: now)
        seenLog = logCount
        receiver.forget(before: logCount)
    }
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
    /// Whether it is gone for both ends.
    var isForgotten = false

    /// The TLS handshake under way.
    var tls: TLSHandshake?

    /// The request under way, where somebody asks and answers over it: where it ends in the stream up, and where the
    /// answer begins in the stream down.
    var exchange: Exchange?

    /// A request and its answer.
    struct Exchange {
        let requestEnd: Int
        let answerBegins: Int
        /// From where on the client wishes to know that more of the answer has come, the head included.
        var newsBytes = 0
        /// From when on it wishes to know of whatever comes.
        var newsInstant = Instant.zero

        /// What is to be told of the answer when so much of the stream has come; nil where nobody wishes to know.
        func news(bytes: Int, on connection: LinkConnection, at now: Instant) -> SimulatedLink.Output? {
            let bytes = bytes - answerBegins
            return bytes >= newsBytes || now >= newsInstant ? .received(connection, bytes: bytes) : nil
        }
    }

    init(began: Instant, path: Lanes.Path, down: consuming SimulatedStream, up: consuming SimulatedStream) {
        (self.began, self.path) = (began, path)
        self.down = down
        self.up = up
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

    /// Takes the handshake as done, in a round trip of so long.
    func establish(roundTrip: Duration) {
        (isConnected, isAccepted) = (true, true)
        down.sender.measureHandshake(roundTrip)
        up.sender.measureHandshake(roundTrip)
    }

    /// Whether packets go down and their acknowledgements up, and nothing else is under way.
    var isFlowing: Bool {
        isAccepted && isOpen && !isForgotten && !isAbandonedByServer && tls == nil && !down.sender.isFinished
            && up.sender.deadline == nil && !up.sender.hasUnsent && up.acknowledgementTimer == nil
    }

    /// Whether the sender of a direction may send: it knows of the handshake's end.
    func maySend(_ direction: LinkDirection) -> Bool { direction == .down ? isAccepted : isConnected }
}
