package import Timeline

/// A network in use: what crosses it when, without sending anything and without a clock.
///
/// All connections share one queue and one line in each direction, in the order in which their packets come to it, so
/// that downloads side by side slow each other as they would. Every packet is followed: handshake, request, segments
/// of the response, acknowledgements. On links that lose nothing this is the transfer model that was fitted to Linux
/// TCP through netem; loss follows the same rules as Linux's sender with the link's seed.
///
/// The owner calls ``advance(to:)`` at ``nextInstant``, and may start, answer and close at any time in between.
package final class SimulatedLink {
    /// Names a connection of a link.
    package struct Connection: Hashable, Sendable {
        let number: Int
    }

    /// What the owner learns.
    package enum Output: Sendable, Equatable {
        /// The handshake is done.
        case connected(Connection)
        /// The request is at the server, which is to be answered with ``respond(headBytes:bodyBytes:on:at:)``.
        case requested(Connection)
        /// So many bytes of the response have come in order, head included.
        case received(Connection, bytes: Int)
    }

    // Sizes on the line: Ethernet, IP and TCP headers with timestamps, and the options of a SYN.
    private static let headerBytes = 66
    private static let synBytes = 74
    private static let delayedAcknowledgement = Duration.milliseconds(40)

    private enum Happening {
        case synAtServer, synAnswerAtClient, synTimeout(attempt: Int)
        case requestAtServer, requestTimeout(attempt: Int)
        case segmentAtClient(transmission: Int), acknowledgementDue, acknowledgementAtServer(logCount: Int)
        case senderDeadline, serverAnswers(headBytes: Int, bodyBytes: Int), closeAtServer

        /// Whether it happens at the server, which does not know yet that the client has closed.
        var outlivesClient: Bool {
            switch self {
            case .acknowledgementAtServer, .senderDeadline, .closeAtServer: true
            default: false
            }
        }
    }

    private typealias Timer = EventQueue<Entry>.Token

    /// Both ends of a connection.
    private final class Peers {
        var path: Lanes.Path
        let began: Instant
        var isConnected = false
        var requestBytes: Int?
        var requestIsAtServer = false
        var response = 0
        var sender: Sender?
        var receiver = Receiver()
        var seenLog = 0
        var deadline: Instant?
        var deadlineTimer: Timer?
        var clientTimer: Timer?
        var acknowledgementTimer: Timer?
        var isOpen = true

        init(path: Lanes.Path, began: Instant) { (self.path, self.began) = (path, began) }
    }

    private struct Entry {
        let connection: Connection
        let response: Int
        let happening: Happening
    }

    private let profile: LinkProfile
    private let receiveWindow: Int
    private var lanes: Lanes
    private var queue = EventQueue<Entry>()
    private var peers: [Connection: Peers] = [:]
    private var count = 0

    /// A network in use, with a seed for everything random.
    ///
    /// - Parameters:
    ///   - profile: The network.
    ///   - seed: The seed.
    ///   - receiveWindow: How many bytes the client lets be on their way on a connection: by default half of the
    ///     largest buffer of Linux.
    package init(_ profile: LinkProfile, seed: UInt64, receiveWindow: Int = 3 << 20) {
        self.profile = profile
        self.receiveWindow = receiveWindow
        var random = SeededRandom(seed: seed)
        lanes = Lanes(profile, random: &random)
    }

    /// When ``advance(to:)`` has something to do; nil when nothing is under way.
    package var nextInstant: Instant? { queue.nextInstant }

    /// Begins a connection: a TCP handshake.
    package func connect(at now: Instant) -> Connection {
        count += 1
        let connection = Connection(number: count)
        let peer = Peers(path: lanes.path(), began: now)
        peers[connection] = peer
        sendSyn(connection, peer, attempt: 0, at: now)
        return connection
    }

    /// Sends a request, at once or when the connection is there.
    ///
    /// - Precondition: The answer to the request before has come whole.
    package func request(bytes: Int, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        peer.requestBytes = bytes
        peer.requestIsAtServer = false
        peer.response += 1
        if peer.isConnected { sendRequest(bytes, connection, peer, attempt: 0, at: now) }
    }

    /// Lets the server begin to answer, at an instant that is not in the past.
    package func respond(headBytes: Int, bodyBytes: Int, on connection: Connection, at instant: Instant) {
        guard let peer = peers[connection] else { return }
        plan(.serverAnswers(headBytes: headBytes, bodyBytes: bodyBytes), connection, peer, at: instant)
    }

    /// Closes a connection; nothing more comes of it.
    ///
    /// The server stops when it learns of it. What is in the queue by then still crosses the line.
    package func close(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.isOpen else { return }
        peer.isOpen = false
        drop(&peer.clientTimer)
        drop(&peer.acknowledgementTimer)
        // A reset that is lost is answered by another as soon as a segment comes; it is taken as not lost.
        let there = lanes.sendUp(Self.headerBytes, at: now, on: &peer.path)?.arrives
        plan(
            .closeAtServer,
            connection,
            peer,
            at: there ?? now + lanes.roundTrip(on: peer.path, at: now)
        )
    }

    /// Lets everything happen that happens up to an instant.
    ///
    /// - Returns: What the owner learns, with when, in order.
    package func advance(to now: Instant) -> [(at: Instant, output: Output)] {
        var outputs: [(at: Instant, output: Output)] = []
        while let next = queue.nextInstant, next <= now, let (instant, entry) = queue.popNext() {
            guard let peer = peers[entry.connection], peer.isOpen || entry.happening.outlivesClient else { continue }
            if let output = handle(entry, peer, at: instant) { outputs.append((instant, output)) }
        }
        return outputs
    }

    private func handle(_ entry: Entry, _ peer: Peers, at now: Instant) -> Output? {
        let connection = entry.connection
        let isCurrent = entry.response == peer.response
        switch entry.happening {
        case .synAtServer:
            guard let way = lanes.sendDown(Self.synBytes, at: now, on: &peer.path) else { return nil }
            plan(.synAnswerAtClient, connection, peer, at: way.arrives)
        case .synAnswerAtClient:
            guard !peer.isConnected else { return nil }
            peer.isConnected = true
            drop(&peer.clientTimer)
            peer.sender = Sender(
                initialWindow: profile.initialWindow,
                receiveWindow: receiveWindow,
                roundTrip: now - peer.began
            )
            _ = lanes.sendUp(Self.headerBytes, at: now, on: &peer.path)
            if let bytes = peer.requestBytes { sendRequest(bytes, connection, peer, attempt: 0, at: now) }
            return .connected(connection)
        case .synTimeout(let attempt):
            if !peer.isConnected { sendSyn(connection, peer, attempt: attempt + 1, at: now) }
        case .requestAtServer:
            guard isCurrent, !peer.requestIsAtServer else { return nil }
            peer.requestIsAtServer = true
            // That the request has come is known to the client a little later; it would not send it again before.
            drop(&peer.clientTimer)
            return .requested(connection)
        case .requestTimeout(let attempt):
            guard isCurrent, !peer.requestIsAtServer, let bytes = peer.requestBytes else { return nil }
            sendRequest(bytes, connection, peer, attempt: attempt + 1, at: now)
        case .serverAnswers(let headBytes, let bodyBytes):
            guard isCurrent, peer.sender != nil else { return nil }
            peer.sender?.begin(headBytes: headBytes, bodyBytes: bodyBytes, at: now)
            peer.receiver.begin(segmentCount: peer.sender?.segmentCount ?? 0)
            peer.seenLog = 0
            sendSegments(connection, peer, at: now)
        case .segmentAtClient(let transmission):
            return isCurrent ? receive(transmission, connection, peer, at: now) : nil
        case .acknowledgementDue:
            if isCurrent, peer.receiver.owesAcknowledgement { acknowledge(connection, peer, at: now) }
        case .acknowledgementAtServer(let logCount):
            guard isCurrent, logCount > peer.seenLog else { return nil }
            peer.sender?.acknowledge(peer.receiver.log[peer.seenLog..<logCount], at: now)
            peer.seenLog = logCount
            sendSegments(connection, peer, at: now)
        case .senderDeadline: expire(connection, peer, at: now)
        case .closeAtServer:
            drop(&peer.deadlineTimer)
            peers[connection] = nil
        }
        return nil
    }

    private func sendSyn(_ connection: Connection, _ peer: Peers, attempt: Int, at now: Instant) {
        if let way = lanes.sendUp(Self.synBytes, at: now, on: &peer.path) {
            plan(.synAtServer, connection, peer, at: way.arrives)
        }
        // RFC 6298: a second, then twice as long each time.
        guard attempt < 7 else { return }
        peer.clientTimer = plan(.synTimeout(attempt: attempt), connection, peer, at: now + .seconds(1 << attempt))
    }

    private func sendRequest(
        _ bytes: Int,
        _ connection: Connection,
        _ peer: Peers,
        attempt: Int,
        at now: Instant
    ) {
        // Requests beyond one packet go as one train, which is lost or comes as a whole.
        let packets = max(1, (bytes + Sender.segmentSize - 1) / Sender.segmentSize)
        if let way = lanes.sendUp(bytes + packets * Self.headerBytes, at: now, on: &peer.path) {
            plan(.requestAtServer, connection, peer, at: way.arrives)
        }
        let roundTrip = lanes.roundTrip(on: peer.path, at: now)
        let timeout = max(.milliseconds(200), min(roundTrip * 3, roundTrip * 2 + .milliseconds(200)))
        guard attempt < 15 else { return }
        let wait = timeout * (1 << min(attempt, 10))
        peer.clientTimer = plan(.requestTimeout(attempt: attempt), connection, peer, at: now + wait)
    }

    private func sendSegments(_ connection: Connection, _ peer: Peers, at now: Instant) {
        while let transmission = peer.sender?.next(at: now) { send(transmission, connection, peer, at: now) }
        planDeadline(connection, peer)
    }

    private func send(_ transmission: Int, _ connection: Connection, _ peer: Peers, at now: Instant) {
        guard let bytes = peer.sender?.size(ofTransmission: transmission),
            let way = lanes.sendDown(bytes + Self.headerBytes, at: now, on: &peer.path)
        else { return }
        plan(.segmentAtClient(transmission: transmission), connection, peer, at: way.arrives)
    }

    private func receive(_ transmission: Int, _ connection: Connection, _ peer: Peers, at now: Instant) -> Output? {
        guard let segment = peer.sender?.segment(of: transmission) else { return nil }
        let answer = peer.receiver.receive(transmission, segment: segment)
        if answer.acknowledgesNow {
            acknowledge(connection, peer, at: now)
        } else {
            let due = now + Self.delayedAcknowledgement
            peer.acknowledgementTimer = plan(.acknowledgementDue, connection, peer, at: due)
        }
        guard let inOrder = answer.inOrder, let bytes = peer.sender?.bytes(inSegments: inOrder) else { return nil }
        return .received(connection, bytes: bytes)
    }

    private func acknowledge(_ connection: Connection, _ peer: Peers, at now: Instant) {
        peer.receiver.acknowledge()
        drop(&peer.acknowledgementTimer)
        guard let way = lanes.sendUp(Self.headerBytes, at: now, on: &peer.path) else { return }
        let happening = Happening.acknowledgementAtServer(logCount: peer.receiver.log.count)
        plan(happening, connection, peer, at: way.arrives)
    }

    private func expire(_ connection: Connection, _ peer: Peers, at now: Instant) {
        (peer.deadline, peer.deadlineTimer) = (nil, nil)
        guard let deadline = peer.sender?.deadline else { return }
        if deadline <= now, let transmission = peer.sender?.expire(at: now) {
            send(transmission, connection, peer, at: now)
        }
        sendSegments(connection, peer, at: now)
    }

    /// Keeps one deadline planned for each connection; one that moved later is looked at again when it comes.
    private func planDeadline(_ connection: Connection, _ peer: Peers) {
        guard let deadline = peer.sender?.deadline else {
            drop(&peer.deadlineTimer)
            peer.deadline = nil
            return
        }
        if let planned = peer.deadline, planned <= deadline { return }
        drop(&peer.deadlineTimer)
        peer.deadline = deadline
        peer.deadlineTimer = plan(.senderDeadline, connection, peer, at: deadline)
    }

    private func drop(_ timer: inout Timer?) {
        if let token = timer { queue.cancel(token) }
        timer = nil
    }

    @discardableResult
    private func plan(
        _ happening: Happening,
        _ connection: Connection,
        _ peer: Peers,
        at instant: Instant
    ) -> Timer {
        queue.schedule(Entry(connection: connection, response: peer.response, happening: happening), at: instant)
    }
}
