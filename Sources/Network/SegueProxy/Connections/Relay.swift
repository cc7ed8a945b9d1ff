package import SegueBase
package import SegueData
package import SegueNetworkModel

/// The connections of one link and the bytes on them: what has been read at one end and may be written at the other.
///
/// A pure core around a `SimulatedLink`: it is told what was read and what the time is, and says what may be written. In
/// front of the link a sender's bytes wait in its send buffer (``sendBuffer`` at the most, or it is not read from), on
/// the link as long as the model says, and behind it until the receiver takes them. The model's receive window bounds them,
/// together with what is under way and what the receiver's program has not read. So a connection never holds more than
/// ``sendBuffer`` and the receive window (3 MiB at the most) in a direction.
package final class Relay {
    /// What is to be done, at an instant that has come.
    package enum Effect: Sendable, Equatable {
        /// There are bytes for the receiving end of a direction.
        case deliver(LinkConnection, LinkDirection)
        /// After those the direction ends.
        case finish(LinkConnection, LinkDirection)
        /// The receiving end is to be reset.
        case reset(LinkConnection, LinkDirection)
        /// The client has the answer to its handshake, or to its question for a name.
        case connected(LinkConnection)
        /// The client's handshake was never answered.
        case unanswered(LinkConnection)
        /// There is room to read at the sending end again.
        case read(LinkConnection, LinkDirection)

        /// The connection that it is about.
        package var connection: LinkConnection {
            switch self {
            case .deliver(let connection, _), .finish(let connection, _), .reset(let connection, _),
                .connected(let connection), .unanswered(let connection), .read(let connection, _):
                connection
            }
        }
    }

    /// How many bytes of a direction wait before the link at the most.
    package static let sendBuffer = 2 * SimulatedLink.lowWater

    private final class Flow {
        var queue = ByteQueue()
        /// How many of them have come over the link.
        var arrived = 0
        /// How many bytes have come in all.
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

    /// How late deliveries were noticed.
    package private(set) var lateness = Lateness()

    /// How many bytes were delivered, towards the client and towards the server.
    package private(set) var deliveredBytes: (down: Int, up: Int) = (0, 0)

    /// A relay over a network.
    ///
    /// - Parameters:
    ///   - profile: The network.
    ///   - seed: The seed of everything random on it.
    ///   - receiveWindow: How much an end lets be unread and on its way to it on a connection.
    package init(_ profile: LinkProfile, seed: UInt64, receiveWindow: ReceiveWindow = .tuned) {
        link = SimulatedLink(profile, seed: seed, receiveWindow: receiveWindow)
    }

    /// When ``advance(to:)`` has something to do; nil when nothing is under way.
    package var nextInstant: Instant? { link.nextInstant }

    /// A client has come.
    ///
    /// - Parameters:
    ///   - isEstablished: Whether its handshake is done already.
    ///   - now: When.
    /// - Returns: The connection's name.
    package func open(isEstablished: Bool = false, at now: Instant) -> LinkConnection {
        let connection = link.connect(isEstablished: isEstablished, at: now)
        flows[connection] = Flows()
        return connection
    }

    /// Asks for the addresses of a name; ``Effect/connected(_:)`` or ``Effect/unanswered(_:)`` tells the end of it.
    package func ask(for name: String, at now: Instant) -> LinkConnection { link.ask(for: name, at: now) }

    /// How many bytes may be read at the sending end of a direction.
    package func room(_ direction: LinkDirection, on connection: LinkConnection) -> Int {
        max(0, Self.sendBuffer - link.unsentBytes(direction, on: connection))
    }

    /// Bytes were read at the sending end of a direction.
    ///
    /// Where an answer of HTTP/1 begins, its head ends a segment: servers write it first, and whether the body is there
    /// too by the time that the proxy reads is chance.
    package func push(_ bytes: [UInt8], _ direction: LinkDirection, on connection: LinkConnection, at now: Instant) {
        guard let flow = flow(direction, connection) else { return }
        let head = direction == .down && link.isResting(.down, on: connection) ? Self.headLength(bytes) : 0
        flow.queue.append(bytes)
        link.write(head, direction, on: connection, endsSegment: true, at: now)
        link.write(bytes.count - head, direction, on: connection, at: now)
    }

    /// How many bytes the head of an HTTP/1 answer has that comes whole at the beginning; 0 where none does.
    private static func headLength(_ bytes: [UInt8]) -> Int {
        guard bytes.starts(with: "HTTP/1.".utf8) else { return 0 }
        let end = Array("\r\n\r\n".utf8)
        let first = bytes.prefix(mostHead)
        return first.indices.dropLast(3).first { first[$0...].starts(with: end) }.map { $0 + end.count } ?? 0
    }

    /// Longer heads take several segments as it is.
    private static let mostHead = 8 << 10

    /// The sending end of a direction has nothing more to say.
    package func finish(_ direction: LinkDirection, on connection: LinkConnection, at now: Instant) {
        link.finish(direction, on: connection, at: now)
    }

    /// An end has broken the connection off; the other one will be told.
    ///
    /// - Parameters:
    ///   - direction: The way of the news: up where the client has.
    ///   - connection: The connection.
    ///   - now: When.
    package func breakOff(_ direction: LinkDirection, on connection: LinkConnection, at now: Instant) {
        switch direction {
        case .up: link.close(connection, at: now)
        case .down: link.abandon(connection, at: now)
        }
    }

    /// Hands out bytes that have come, from one piece, and removes those that were taken.
    ///
    /// - Parameters:
    ///   - direction: The direction.
    ///   - connection: The connection.
    ///   - take: Takes bytes and returns how many.
    /// - Returns: What `take` returned; nil when nothing has come.
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

    /// How many bytes of a direction have come and were not taken.
    package func arrived(_ direction: LinkDirection, on connection: LinkConnection) -> Int {
        flow(direction, connection)?.arrived ?? 0
    }

    /// Says that the receiving end has taken what it wants at present.
    ///
    /// - Parameters:
    ///   - direction: The direction.
    ///   - connection: The connection.
    ///   - unread: How many bytes were taken from here that its program has not read.
    ///   - now: When.
    package func settle(
        _ direction: LinkDirection,
        on connection: LinkConnection,
        unread: Int = 0,
        at now: Instant
    ) {
        guard let flow = flow(direction, connection) else { return }
        link.hold(flow.arrived + unread, direction, on: connection, at: now)
    }

    /// Whether the sending end stops because the receiving one has not read what came.
    package func isHeldUp(_ direction: LinkDirection, on connection: LinkConnection) -> Bool {
        link.isHeldUp(direction, on: connection)
    }

    /// Becomes another network at once, whose time begins now.
    package func become(_ profile: LinkProfile, at now: Instant) { link.become(profile, at: now) }

    /// What has been sent over a direction.
    package func counts(_ direction: LinkDirection) -> LaneCounts { link.counts(direction) }

    /// What waits in the queue of a direction.
    package func load(_ direction: LinkDirection, at now: Instant) -> LaneLoad { link.load(direction, at: now) }

    /// Forgets a connection.
    package func forget(_ connection: LinkConnection) { flows[connection] = nil }

    /// Lets everything happen that happens up to an instant.
    ///
    /// - Returns: What is to be done.
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
