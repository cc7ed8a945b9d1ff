package import SegueBase
package import SegueData
package import SegueNetworkModel

/// The connections of a link and their bytes: read at one end, and waiting to be written at the other.
///
/// It has no sockets and no clock: it receives the bytes read and the time, and returns what to write, based on a
/// `SimulatedLink`. A sender's bytes wait in its send buffer (up to ``sendBuffer``; beyond that it is not read), then
/// on the link for as long as the model requires, and then until the receiver takes them. The model's receive window
/// limits the latter, together with the unread bytes at the receiver. Therefore, a connection holds at most
/// ``sendBuffer`` and the receive window (up to 3 MiB) in a direction.
package final class Relay {
    /// An action that is due.
    package enum Effect: Sendable, Equatable {
        /// Bytes wait for the receiving end of a direction.
        case deliver(LinkConnection, LinkDirection)
        /// The direction ends after the waiting bytes.
        case finish(LinkConnection, LinkDirection)
        /// The receiving end must be reset.
        case reset(LinkConnection, LinkDirection)
        /// The client's handshake, or its DNS query, was answered.
        case connected(LinkConnection)
        /// The client's handshake, or its DNS query, was never answered.
        case unanswered(LinkConnection)
        /// The sending end may be read again.
        case read(LinkConnection, LinkDirection)

        /// The connection of this action.
        package var connection: LinkConnection {
            switch self {
            case .deliver(let connection, _), .finish(let connection, _), .reset(let connection, _),
                .connected(let connection), .unanswered(let connection), .read(let connection, _):
                connection
            }
        }
    }

    /// The maximum number of bytes of a direction that wait in front of the link.
    package static let sendBuffer = 2 * SimulatedLink.lowWater

    private final class Flow {
        var queue = ByteQueue()
        /// The number of waiting bytes that have crossed the link.
        var arrived = 0
        /// The total number of bytes that have crossed the link.
        var delivered = 0
    }

    private struct Flows {
        let down = Flow()
        let up = Flow()
    }

    private func flow(_ direction: LinkDirection, _ connection: LinkConnection) -> Flow? {
        guard let flows = flows[connection] else { return nil }
        return direction == .down ? flows.down : flows.up
    }

    private let link: SimulatedLink
    private var flows: [LinkConnection: Flows] = [:]

    /// The delays of deliveries after their due time.
    package private(set) var lateness = Lateness()

    /// The number of delivered bytes in both directions.
    package private(set) var deliveredBytes: (down: Int, up: Int) = (0, 0)

    /// Creates a relay over a network.
    ///
    /// - Parameters:
    ///   - seed: The seed of all randomness.
    ///   - receiveWindow: The receive window of both ends of each connection.
    package init(_ profile: LinkProfile, seed: UInt64, receiveWindow: ReceiveWindow = .tuned) {
        link = SimulatedLink(profile, seed: seed, receiveWindow: receiveWindow)
    }

    /// The next instant for ``advance(to:)``; nil if nothing is in flight.
    package var nextInstant: Instant? { link.nextInstant }

    /// Opens a connection for a new client.
    ///
    /// - Parameters:
    ///   - isEstablished: True if the handshake is complete already.
    /// - Returns: The identifier of the connection.
    package func open(isEstablished: Bool = false, at now: Instant) -> LinkConnection {
        let connection = link.connect(isEstablished: isEstablished, at: now)
        flows[connection] = Flows()
        return connection
    }

    /// Sends a DNS query, whose result is ``Effect/connected(_:)`` or ``Effect/unanswered(_:)``.
    package func ask(for name: String, at now: Instant) -> LinkConnection { link.ask(for: name, at: now) }

    /// The number of bytes that may be read at the sending end of a direction.
    package func room(_ direction: LinkDirection, on connection: LinkConnection) -> Int {
        max(0, Self.sendBuffer - link.unsentBytes(direction, on: connection))
    }

    /// Adds bytes that were read at the sending end of a direction.
    ///
    /// The head of an HTTP/1 response ends a segment, because servers write it first, and whether the body has arrived
    /// when the proxy reads is random.
    package func push(_ bytes: [UInt8], _ direction: LinkDirection, on connection: LinkConnection, at now: Instant) {
        guard let flow = flow(direction, connection) else { return }
        let head = direction == .down && link.isResting(.down, on: connection) ? Self.headLength(bytes) : 0
        flow.queue.append(bytes)
        link.write(head, direction, on: connection, endsSegment: true, at: now)
        link.write(bytes.count - head, direction, on: connection, at: now)
    }

    /// The length of a complete HTTP/1 response head at the beginning; 0 without one.
    private static func headLength(_ bytes: [UInt8]) -> Int {
        guard bytes.starts(with: "HTTP/1.".utf8) else { return 0 }
        let end = Array("\r\n\r\n".utf8)
        let first = bytes.prefix(mostHead)
        return first.indices.dropLast(3).first { first[$0...].starts(with: end) }.map { $0 + end.count } ?? 0
    }

    /// Longer heads take several segments anyway.
    private static let mostHead = 8 << 10

    /// Ends a direction, whose sending end has closed.
    package func finish(_ direction: LinkDirection, on connection: LinkConnection, at now: Instant) {
        link.finish(direction, on: connection, at: now)
    }

    /// Breaks a connection, and informs the other end.
    ///
    /// - Parameters:
    ///   - direction: The direction of the reset: up if the client broke the connection.
    package func breakOff(_ direction: LinkDirection, on connection: LinkConnection, at now: Instant) {
        switch direction {
        case .up: link.close(connection, at: now)
        case .down: link.abandon(connection, at: now)
        }
    }

    /// Passes delivered bytes of one piece to `take`, and removes the consumed ones.
    ///
    /// - Parameters:
    ///   - take: Consumes bytes and returns their number.
    /// - Returns: The result of `take`; nil if no byte has been delivered.
    package func take(
        _ direction: LinkDirection,
        on connection: LinkConnection,
        _ take: (UnsafeRawBufferPointer) -> Int
    ) -> Int? {
        guard let flow = flow(direction, connection), flow.arrived > 0 else { return nil }
        let taken = flow.queue.take(flow.arrived, take)
        if taken > 0 { flow.arrived -= taken }
        return taken
    }

    /// The number of delivered bytes that wait for the receiving end.
    package func arrived(_ direction: LinkDirection, on connection: LinkConnection) -> Int {
        flow(direction, connection)?.arrived ?? 0
    }

    /// Updates the unconsumed bytes of the receiving end after it took what it could.
    ///
    /// - Parameters:
    ///   - unread: The number of bytes taken from here that the receiver's program has not read.
    package func settle(
        _ direction: LinkDirection,
        on connection: LinkConnection,
        unread: Int = 0,
        at now: Instant
    ) {
        guard let flow = flow(direction, connection) else { return }
        link.hold(flow.arrived + unread, direction, on: connection, at: now)
    }

    /// Returns whether the sending end stops because of unread bytes at the receiver.
    package func isHeldUp(_ direction: LinkDirection, on connection: LinkConnection) -> Bool {
        link.isHeldUp(direction, on: connection)
    }

    /// Switches to another network, whose time begins now.
    package func become(_ profile: LinkProfile, at now: Instant) { link.become(profile, at: now) }

    package func counts(_ direction: LinkDirection) -> LaneCounts { link.counts(direction) }

    package func load(_ direction: LinkDirection, at now: Instant) -> LaneLoad { link.load(direction, at: now) }

    package func forget(_ connection: LinkConnection) { flows[connection] = nil }

    /// Processes all events up to an instant.
    ///
    /// - Returns: The actions that are due.
    package func advance(to now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for (at, output) in link.advance(to: now) {
            switch output {
            case .delivered(let connection, let direction, let bytes):
                lateness.record(now - at)
                deliver(bytes, direction, on: connection)
                if effects.last != .deliver(connection, direction) { effects.append(.deliver(connection, direction)) }
            case .finished(let connection, let direction): effects.append(.finish(connection, direction))
            case .reset(let connection, let direction): effects.append(.reset(connection, direction))
            case .unanswered(let connection): effects.append(.unanswered(connection))
            case .hasRoom(let connection, let direction): effects.append(.read(connection, direction))
            case .connected(let connection): effects.append(.connected(connection))
            case .accepted, .requested, .received: break
            }
        }
        return effects
    }

    private func deliver(_ bytes: Int, _ direction: LinkDirection, on connection: LinkConnection) {
        guard let flow = flow(direction, connection) else { return }
        let news = bytes - flow.delivered
        flow.delivered = bytes
        flow.arrived += news
        switch direction {
        case .down: deliveredBytes.down += news
        case .up: deliveredBytes.up += news
        }
    }
}
