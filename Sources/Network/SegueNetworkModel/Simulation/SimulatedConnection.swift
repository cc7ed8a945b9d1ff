internal import SegueBase

/// The identifier of a connection of a link.
package struct LinkConnection: Hashable, Sendable, Comparable {
    let number: Int

    /// Returns whether the left connection began first.
    package static func < (left: LinkConnection, right: LinkConnection) -> Bool { left.number < right.number }
}

package enum LinkDirection: Sendable, Hashable, CaseIterable {
    /// To the client.
    case down
    /// To the server.
    case up

    package var opposite: LinkDirection { self == .down ? .up : .down }
}

/// One direction of a connection: its sender and its receiver.
struct SimulatedStream: ~Copyable {
    typealias Timer = LinkQueue.Token

    let connection: LinkConnection
    let direction: LinkDirection
    var sender: Sender
    var receiver: Receiver
    /// The part of the receiver's log that the sender knows.
    var seenLog = 0
    var deadline: Instant?
    var deadlineTimer: Timer?
    var acknowledgementTimer: Timer?
    /// The number of bytes delivered in order.
    var delivered = 0
    /// The time of the last delivery.
    var deliveredAt = Instant.zero
    /// True if everything was delivered, including the end.
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

    /// Informs the sender of all arrivals up to a position in the receiver's log.
    mutating func isAcknowledged(upTo logCount: Int, at now: Instant) {
        guard logCount > seenLog else { return }
        sender.acknowledge(receiver.log, seenLog..<logCount, at: now)
        seenLog = logCount
        receiver.forget(before: logCount)
    }
}

/// A connection: its two ends, and their knowledge of each other.
final class SimulatedConnection {
    let began: Instant
    var ends: ConnectionEnds
    var id: LinkConnection { ends.connection }
    /// True if the client knows that the server has answered the handshake.
    var isConnected = false
    /// True if the server knows that the handshake is complete.
    var isAccepted = false
    var handshakeTimer: SimulatedStream.Timer?
    /// The change of the client's address, which ends the connection.
    var handoverTimer: SimulatedStream.Timer?
    /// True if the client has not closed it.
    var isOpen = true
    /// True if the client has closed it in order: further arrivals are answered with a reset.
    var isLeft = false
    var isAbandonedByServer = false
    /// The number of responses that the server is preparing.
    var answersDue = 0
    /// True if it has ended for both ends.
    var isForgotten = false

    /// The query and response of a datagram exchange; nil for a connection.
    var question: Question?

    /// A query of one packet, and its response.
    struct Question {
        /// The sizes with headers, in bytes.
        let bytes: (question: Int, answer: Int)
        /// The time after which an unanswered query is repeated.
        let patience: Duration
        /// The maximum number of attempts.
        let attempts: Int

        /// The Ethernet, IP, and UDP headers.
        private static let headerBytes = 42

        /// Creates a DNS query, which is repeated once after five seconds, like Linux's resolver (resolv.conf(5)).
        init(forName name: String) {
            // Header, name with its lengths, type, and class; a response repeats them and adds an address (RFC 1035,
            // section 4).
            let question = Self.headerBytes + 12 + min(name.utf8.count, 255) + 2 + 4
            bytes = (question, question + 16)
            patience = .seconds(5)
            attempts = 2
        }
    }

    /// The TLS handshake in progress.
    var tls: TLSHandshake?

    init(began: Instant, _ ends: consuming ConnectionEnds) {
        self.began = began
        self.ends = ends
    }

    /// True if a response could begin with nothing else in flight.
    var mayDepart: Bool {
        isAccepted && isOpen && !isForgotten && !isAbandonedByServer && tls == nil
            && !ends.down.sender.isFinished && !ends.up.sender.hasUnsent
    }

    /// True if only segments downward and their acknowledgements are in flight.
    var isFlowing: Bool {
        isAccepted && isOpen && !isLeft && !isForgotten && !isAbandonedByServer && tls == nil
            && !ends.down.sender.isFinished && ends.up.sender.deadline == nil && !ends.up.sender.hasUnsent
            && ends.up.acknowledgementTimer == nil
    }
}
