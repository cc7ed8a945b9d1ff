internal import SegueBase

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

    let connection: LinkConnection
    let direction: LinkDirection
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

    init(
        _ direction: LinkDirection,
        of connection: LinkConnection,
        sender: consuming Sender,
        receiver: consuming Receiver
    ) {
        (self.direction, self.connection) = (direction, connection)
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

/// A connection: its ends, and what each knows of the other.
final class SimulatedConnection {
    let began: Instant
    var ends: ConnectionEnds
    /// Whether the client knows that the server has answered the handshake.
    var isConnected = false
    /// Whether the server knows that the client does.
    var isAccepted = false
    var handshakeTimer: SimulatedStream.Timer?
    /// When the client's address changes, which ends the connection.
    var handoverTimer: SimulatedStream.Timer?
    /// Whether the client has not closed it.
    var isOpen = true
    /// Whether the client has closed it in peace: what still comes is answered with a reset.
    var isLeft = false
    var isAbandonedByServer = false
    /// How many answers the server is thinking about.
    var answersDue = 0
    /// Whether it is gone for both ends.
    var isForgotten = false

    /// The question and answer that are all that crosses it; nil for a connection.
    var question: Question?

    /// A question that is one packet, and its answer, which is another.
    struct Question {
        /// Their sizes with all headers, in bytes.
        let bytes: (question: Int, answer: Int)
        /// After how long without an answer it is asked again.
        let patience: Duration
        /// How often it is asked at the most.
        let attempts: Int
    }

    /// The TLS handshake under way.
    var tls: TLSHandshake?

    init(began: Instant, _ ends: consuming ConnectionEnds) {
        self.began = began
        self.ends = ends
    }

    /// Takes the handshake as done, in a round trip of so long.
    func establish(roundTrip: Duration) {
        (isConnected, isAccepted) = (true, true)
        ends.down.sender.measureHandshake(roundTrip)
        ends.up.sender.measureHandshake(roundTrip)
    }

    /// Whether an answer can be sent of which nothing is under way yet.
    var mayDepart: Bool {
        isAccepted && isOpen && !isForgotten && !isAbandonedByServer && tls == nil
            && !ends.down.sender.isFinished && !ends.up.sender.hasUnsent
    }

    /// Whether packets go down and their acknowledgements up, and nothing else is under way.
    var isFlowing: Bool {
        isAccepted && isOpen && !isLeft && !isForgotten && !isAbandonedByServer && tls == nil
            && !ends.down.sender.isFinished && ends.up.sender.deadline == nil && !ends.up.sender.hasUnsent
            && ends.up.acknowledgementTimer == nil
    }

    /// Whether the sender of a direction may send: it knows of the handshake's end.
    func maySend(_ direction: LinkDirection) -> Bool { direction == .down ? isAccepted : isConnected }
}
