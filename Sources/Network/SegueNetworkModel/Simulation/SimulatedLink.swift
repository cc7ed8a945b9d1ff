package import SegueBase
package import SegueData

/// A network in use: what crosses it when, without sending anything and without a clock.
///
/// All connections share one queue and one line in each direction, in the order in which their packets come to it, so
/// that downloads side by side slow each other as they would. A connection is a stream of bytes each way, to which
/// more can be written at any time; every packet is followed: handshake, segments, acknowledgements, the end. On links
/// that lose nothing this is the transfer model that was fitted to Linux TCP through netem; loss follows the same rules
/// as Linux's sender with the link's seed.
///
/// The owner calls ``advance(to:)`` at ``nextInstant``, and may connect, write and close at any time in between.
package final class SimulatedLink {
    /// Names a connection of a link.
    package typealias Connection = LinkConnection

    /// What the owner learns.
    package enum Output: Sendable, Equatable {
        /// The client has the answer to its handshake.
        case connected(Connection)
        /// The server has the end of the handshake.
        case accepted(Connection)
        /// The handshake was repeated as often as it may be, in vain.
        case unanswered(Connection)
        /// So many bytes of a direction have come in order since the connection began.
        case delivered(Connection, LinkDirection, bytes: Int)
        /// A direction has come to its end.
        case finished(Connection, LinkDirection)
        /// One end's reset has come to the other, in this direction; the connection is gone.
        ///
        /// A handover that changes the client's address ends a connection for both ends: both are told.
        case reset(Connection, LinkDirection)
        /// So little of a direction waits to be sent that its sender should write more.
        case hasRoom(Connection, LinkDirection)
        /// The request is at the server, which is to be answered with ``respond(headBytes:bodyBytes:on:at:)``.
        case requested(Connection)
        /// So many bytes of the response have come in order, head included.
        case received(Connection, bytes: Int)
    }

    /// Below how many bytes that wait to be sent there is room for more.
    package static let lowWater = 32 << 10

    /// Ethernet, IP and TCP headers with timestamps.
    static let headerBytes = 66

    enum Happening {
        case synAtServer, synAnswerAtClient, synTimeout(attempt: Int), handshakeEndAtServer
        /// A segment has come; with it an acknowledgement of the other direction, up to a place in its log.
        case segment(LinkDirection, Receiver.Arrival, logCount: Int)
        case acknowledgementDue(LinkDirection)
        case acknowledgement(LinkDirection, logCount: Int)
        case senderDeadline(LinkDirection)
        case reset(LinkDirection), handover
        case answer(headBytes: Int, bodyBytes: Int)
    }

    struct Entry {
        let connection: Connection
        let happening: Happening
    }

    var profile: LinkProfile
    private let receiveWindow: ReceiveWindow
    var wire: LinkWire
    var peers: [Connection: SimulatedConnection] = [:]
    private var latest: (connection: Connection, peer: SimulatedConnection)?
    /// The steady download under way, if that is all there is.
    private(set) var train: Train?
    private var count = 0

    /// When the latest thing has happened.
    private(set) var latestInstant = Instant.zero

    /// Whether steady downloads take the shorter ways through ``Train`` and ``Flow``, which lead to the same.
    var flows = true

    /// A network in use, with a seed for everything random.
    ///
    /// - Parameters:
    ///   - profile: The network.
    ///   - seed: The seed.
    ///   - receiveWindow: How much an end lets be unread and on its way to it on a connection.
    package init(_ profile: LinkProfile, seed: UInt64, receiveWindow: ReceiveWindow = .tuned) {
        self.profile = profile
        self.receiveWindow = receiveWindow
        var random = SeededRandom(seed: seed)
        wire = LinkWire(Lanes(profile, random: &random))
    }

    /// When ``advance(to:)`` has something to do; nil when nothing is under way.
    package var nextInstant: Instant? {
        guard let onTrain = train?.nextInstant else { return wire.queue.nextInstant }
        return wire.queue.nextInstant.map { min($0, onTrain) } ?? onTrain
    }

    /// Whether nothing happens any more by itself, but for handovers to come.
    package var isQuiet: Bool {
        wire.queue.count + (train?.count ?? 0) == peers.values.count { $0.handoverTimer != nil }
    }

    /// Begins a connection: with a TCP handshake, unless that is done already.
    package func connect(isEstablished: Bool = false, at now: Instant) -> Connection {
        let (connection, peer) = begin(at: now)
        planHandover(connection, peer, at: now)
        if isEstablished {
            let delays = LinkDirection.allCases.map { wire.lanes.delay($0, of: peer.ends.path, at: now) }
            peer.establish(roundTrip: delays[0] + delays[1])
        } else {
            sendSyn(connection, peer, attempt: 0, at: now)
        }
        return connection
    }

    /// A new connection, of which nothing is under way.
    func begin(at now: Instant) -> (Connection, SimulatedConnection) {
        leaveTrain()
        count += 1
        let connection = Connection(number: count)
        let peer = SimulatedConnection(
            began: now,
            ConnectionEnds(
                connection,
                path: wire.lanes.path(),
                down: stream(.down, of: connection),
                up: stream(.up, of: connection)
            )
        )
        peers[connection] = peer
        return (connection, peer)
    }

    func planHandover(_ connection: Connection, _ peer: SimulatedConnection, at now: Instant) {
        guard peer.question == nil else { return }
        wire.drop(&peer.handoverTimer)
        peer.handoverTimer = wire.lanes.nextHandover(after: now).map { plan(.handover, connection, at: $0) }
    }

    private func stream(_ direction: LinkDirection, of connection: Connection) -> SimulatedStream {
        SimulatedStream(
            direction,
            of: connection,
            sender: Sender(initialWindow: profile.initialWindow, receiveWindow: receiveWindow),
            receiver: Receiver(isQuick: direction == .down)
        )
    }

    /// Adds bytes to a direction of a connection; they are sent as soon as handshake and window allow.
    ///
    /// - Parameters:
    ///   - bytes: How many.
    ///   - direction: The way that they take.
    ///   - connection: The connection; nothing happens where it is gone.
    ///   - endsSegment: Whether the last of them ends a segment, whatever follows.
    ///   - now: When.
    package func write(
        _ bytes: Int,
        _ direction: LinkDirection,
        on connection: Connection,
        endsSegment: Bool = false,
        at now: Instant
    ) {
        guard let peer = peers[connection], peer.isOpen, bytes > 0 else { return }
        if let train, train.peer !== peer || direction == .up || !peer.ends.down.sender.isBusy { leaveTrain() }
        peer.ends[direction].sender.write(bytes, endsSegment: endsSegment, at: now)
        peer.ends[direction.opposite].receiver.quicken()
        if train == nil, flows, direction == .down { train = Train.depart(peer, on: &wire) }
        guard let train else { return sendSegments(direction, peer, at: now) }
        train.send(on: &wire, at: now)
    }

    /// Ends a direction of a connection after what was written.
    package func finish(_ direction: LinkDirection, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.isOpen else { return }
        leaveTrain()
        peer.ends[direction].sender.finish()
        sendSegments(direction, peer, at: now)
    }

    /// Says how many bytes that have come the receiving end has not taken; its sender stops when they are too many.
    package func hold(_ bytes: Int, _ direction: LinkDirection, on connection: Connection, at now: Instant) {
        hold(bytes > 0 ? bytes : nil, direction, peers[connection], at: now)
    }

    /// The receiving end of a direction takes nothing more of what comes, until ``hold(_:_:on:at:)`` says what it has taken.
    package func stopTaking(_ direction: LinkDirection, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.ends[direction].sender.receiveBuffer.taken == nil else { return }
        hold(0, direction, peer, at: now)
    }

    private func hold(_ bytes: Int?, _ direction: LinkDirection, _ peer: SimulatedConnection?, at now: Instant) {
        guard let peer else { return }
        leaveTrain()
        // That there is less room is known with the next acknowledgement; the little that is under way fits in.
        if peer.ends[direction].hold(bytes, at: now) { peer.ends.acknowledge(direction, on: &wire, at: now) }
    }

    /// Whether a sender stops because its receiver holds too much that nobody has taken.
    package func isHeldUp(_ direction: LinkDirection, on connection: Connection) -> Bool {
        guard let peer = peers[connection] else { return false }
        return peer.ends[direction].sender.isHeldUp
    }

    /// How many bytes of a direction are written but not yet on their way for the first time.
    package func unsentBytes(_ direction: LinkDirection, on connection: Connection) -> Int {
        // Not by optional chaining: Swift 6.3 destroys what it has not read where there is no such connection.
        guard let peer = peers[connection] else { return 0 }
        return peer.ends[direction].sender.unsentBytes
    }

    /// Whether nothing of a direction waits or is under way.
    package func isResting(_ direction: LinkDirection, on connection: Connection) -> Bool {
        guard let peer = peers[connection] else { return false }
        return peer.ends[direction].sender.underWay == 0 && !peer.ends[direction].sender.hasUnsent
    }

    /// Closes a connection from the client's end, as a system does for a program that has read all that came.
    ///
    /// The server is told that nothing more will be asked, and answers what was. The first bytes that come of it are
    /// answered with a reset, as nobody is there to read them; what is in the queue by then still crosses the line.
    package func leave(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        guard peer.isConnected, peer.tls == nil else { return close(connection, at: now) }
        peer.isLeft = true
        finish(.up, on: connection, at: now)
    }

    /// Ends a connection at once, from the client's end.
    ///
    /// The server stops when it learns of it. What is in the queue by then still crosses the line.
    package func close(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.isOpen, !peer.isAbandonedByServer else { return }
        leaveTrain()
        peer.isOpen = false
        wire.drop(&peer.handshakeTimer)
        wire.drop(&peer.ends.down.acknowledgementTimer)
        peer.ends.up.dropDeadline(on: &wire)
        // A reset that is lost is answered by another as soon as a segment comes; it is taken as not lost.
        plan(.reset(.up), connection, at: surely(.up, peer, at: now))
    }

    /// Ends a connection at once, from the server's end.
    package func abandon(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.isOpen, !peer.isAbandonedByServer else { return }
        leaveTrain()
        peer.isAbandonedByServer = true
        wire.drop(&peer.ends.up.acknowledgementTimer)
        peer.ends.down.dropDeadline(on: &wire)
        plan(.reset(.down), connection, at: surely(.down, peer, at: now))
    }

    /// Lets everything happen that happens up to an instant.
    ///
    /// - Parameters:
    ///   - limit: The instant.
    ///   - stopsAtNews: Whether nothing happens after the first instant of which the owner learns something.
    /// - Returns: What the owner learns, with when, in order.
    package func advance(to limit: Instant, stopsAtNews: Bool = false) -> [(at: Instant, output: Output)] {
        var limit = limit
        while true {
            runTrain(until: limit, stopsAtNews: stopsAtNews)
            if stopsAtNews, let first = wire.outputs.first { limit = first.at }
            guard let next = wire.queue.nextInstant, next <= limit, let (instant, entry) = wire.queue.popNext() else {
                break
            }
            guard let peer = peer(of: entry.connection) else { continue }
            latestInstant = instant
            if putOff(entry, peer, at: instant) { continue }
            leaveTrain()
            handle(entry.happening, entry.connection, peer, at: instant)
            if stopsAtNews, let first = wire.outputs.first { limit = first.at }
            guard train == nil, flows, peer.isFlowing else { continue }
            train = Train.board(peer, &wire.queue)
            if train == nil, wire.queue.nextInstant.map({ $0 <= limit }) ?? false {
                let latest = peer.ends.flow(on: &wire, until: limit, stopsAtNews: stopsAtNews)
                latestInstant = max(latestInstant, latest)
            }
            if stopsAtNews, let first = wire.outputs.first { limit = first.at }
        }
        guard !wire.outputs.isEmpty else { return [] }
        defer { wire.outputs = [] }
        return wire.outputs
    }

    private func runTrain(until limit: Instant, stopsAtNews: Bool) {
        guard let train else { return }
        latestInstant = max(latestInstant, train.run(on: &wire, until: limit, stopsAtNews: stopsAtNews))
        if train.isBroken { leaveTrain() }
    }

    /// Plans a deadline anew that has moved since it was planned; a train goes on meanwhile.
    private func putOff(_ entry: Entry, _ peer: SimulatedConnection, at now: Instant) -> Bool {
        guard let train, train.peer === peer, case .senderDeadline(.down) = entry.happening,
            let deadline = peer.ends.down.sender.deadline, deadline > now
        else { return false }
        (peer.ends.down.deadline, peer.ends.down.deadlineTimer) = (nil, nil)
        peer.ends.down.planDeadline(on: &wire)
        return true
    }

    /// Lets what happens next happen one after the other, as whoever asks may change it.
    func leaveTrain() {
        guard let train else { return }
        self.train = nil
        train.leave(to: &wire.queue)
    }

    /// A connection's ends, found at once where the event before was about it, too.
    private func peer(of connection: Connection) -> SimulatedConnection? {
        if let latest, latest.connection == connection { return latest.peer }
        latest = peers[connection].map { (connection, $0) }
        return latest?.peer
    }

    /// Forgets a connection that is gone.
    func remove(_ connection: Connection) {
        peers[connection] = nil
        latest = nil
    }

    func tell(_ output: Output, at now: Instant) { wire.tell(output, at: now) }
}
