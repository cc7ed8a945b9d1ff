package import SegueBase
package import SegueData

/// A simulated network in use: the timing of its packets, without real packets and without a clock.
///
/// All connections share one queue and one line in each direction, in the order of their packets, so parallel downloads
/// slow each other down. A connection is a stream of bytes in each direction, to which bytes can be written at any
/// time. Every packet is modeled: handshakes, segments, acknowledgements, and ends. On lossless links this is a
/// transfer model fitted to Linux TCP through netem; losses follow the rules of Linux's sender with the link's seed.
///
/// The owner calls ``advance(to:)`` at ``nextInstant``, and may connect, write, and close at any time in between.
package final class SimulatedLink {
    package typealias Connection = LinkConnection

    /// The number of unsent bytes below which a sender should write more.
    package static let lowWater = 32 << 10

    /// The Ethernet, IP, and TCP headers with timestamps.
    static let headerBytes = 66

    var profile: LinkProfile
    private let receiveWindow: ReceiveWindow
    var wire: LinkWire
    var peers: [Connection: SimulatedConnection] = [:]
    private var latest: (connection: Connection, peer: SimulatedConnection)?
    /// The steady download in progress, if nothing else happens.
    private(set) var train: Train?
    private var count = 0

    /// The time of the latest event.
    private(set) var latestInstant = Instant.zero

    /// True if steady downloads use the faster paths of ``Train`` and `flow`, with equal results.
    var flows = true

    /// Creates a network in use.
    ///
    /// - Parameters:
    ///   - seed: The seed of all randomness.
    ///   - receiveWindow: The receive window of both ends of each connection.
    package init(_ profile: LinkProfile, seed: UInt64, receiveWindow: ReceiveWindow = .tuned) {
        self.profile = profile
        self.receiveWindow = receiveWindow
        var random = SeededRandom(seed: seed)
        wire = LinkWire(Lanes(profile, random: &random))
    }

    /// The next instant for ``advance(to:)``; nil if nothing is scheduled.
    package var nextInstant: Instant? {
        guard let onTrain = train?.nextInstant else { return wire.queue.nextInstant }
        return wire.queue.nextInstant.map { min($0, onTrain) } ?? onTrain
    }

    /// True if nothing is scheduled except handovers.
    package var isQuiet: Bool {
        wire.queue.count + (train?.count ?? 0) == peers.values.count { $0.handoverTimer != nil }
    }

    /// Begins a connection, with a TCP handshake unless it is established.
    package func connect(isEstablished: Bool = false, at now: Instant) -> Connection {
        let peer = begin(at: now)
        peer.planHandover(on: &wire, at: now)
        if isEstablished {
            let delays = wire.lanes.delays(of: peer.ends.path, at: now)
            peer.establish(roundTrip: delays.down + delays.up)
        } else {
            peer.sendSyn(attempt: 0, on: &wire, at: now)
        }
        return peer.id
    }

    /// Creates an idle connection.
    func begin(at now: Instant) -> SimulatedConnection {
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
        return peer
    }

    private func stream(_ direction: LinkDirection, of connection: Connection) -> SimulatedStream {
        SimulatedStream(
            direction,
            of: connection,
            sender: Sender(initialWindow: profile.initialWindow, receiveWindow: receiveWindow),
            receiver: Receiver(isQuick: direction == .down)
        )
    }

    /// Writes bytes to a direction of a connection; they are sent when handshake and window allow.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes.
    ///   - connection: The connection; one that has ended is ignored.
    ///   - endsSegment: True if the last byte ends a segment, regardless of further bytes.
    package func write(
        _ bytes: Int,
        _ direction: LinkDirection,
        on connection: Connection,
        endsSegment: Bool = false,
        at now: Instant
    ) {
        guard let peer = peers[connection], peer.isOpen, bytes > 0 else { return }
        if let train, train.peer !== peer || direction == .up || !peer.ends.down.sender.isBusy { leaveTrain() }
        peer.append(bytes, direction, endsSegment: endsSegment, at: now)
        if train == nil, flows, direction == .down { train = Train.depart(peer, on: &wire) }
        guard let train else { return peer.sendSegments(direction, on: &wire, at: now) }
        train.send(on: &wire, at: now)
    }

    /// Ends a direction of a connection after the written bytes.
    package func finish(_ direction: LinkDirection, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.isOpen else { return }
        leaveTrain()
        peer.ends[direction].sender.finish()
        peer.sendSegments(direction, on: &wire, at: now)
    }

    /// Sets the number of delivered bytes that the receiving end has not consumed; the sender stops when they fill its
    /// window.
    package func hold(_ bytes: Int, _ direction: LinkDirection, on connection: Connection, at now: Instant) {
        hold(bytes > 0 ? bytes : nil, direction, of: peers[connection], at: now)
    }

    /// Stops the consumption at the receiving end, until ``hold(_:_:on:at:)`` updates it.
    package func stopTaking(_ direction: LinkDirection, on connection: Connection, at now: Instant) {
        guard let peer = peers[connection], peer.ends[direction].sender.receiveBuffer.taken == nil else { return }
        hold(0, direction, of: peer, at: now)
    }

    private func hold(_ bytes: Int?, _ direction: LinkDirection, of peer: SimulatedConnection?, at now: Instant) {
        guard let peer else { return }
        leaveTrain()
        // A smaller window is known with the next acknowledgement; the few bytes in flight fit.
        if peer.ends[direction].hold(bytes, at: now) { peer.ends.acknowledge(direction, on: &wire, at: now) }
    }

    /// Returns whether a sender stops because of unconsumed bytes at its receiver.
    package func isHeldUp(_ direction: LinkDirection, on connection: Connection) -> Bool {
        guard let peer = peers[connection] else { return false }
        return peer.ends[direction].sender.isHeldUp
    }

    /// The number of written bytes that were not yet sent.
    package func unsentBytes(_ direction: LinkDirection, on connection: Connection) -> Int {
        // No optional chaining: Swift 6.3 destroys an uninitialized value if there is no connection.
        guard let peer = peers[connection] else { return 0 }
        return peer.ends[direction].sender.unsentBytes
    }

    /// Returns whether nothing of a direction is unsent or in flight.
    package func isResting(_ direction: LinkDirection, on connection: Connection) -> Bool {
        guard let peer = peers[connection] else { return false }
        return peer.ends[direction].sender.underWay == 0 && !peer.ends[direction].sender.hasUnsent
    }

    /// Closes a connection from the client's end in order, as a system does when the program has read all data.
    ///
    /// The server receives the end of requests, and answers those that it has. The first further bytes are answered
    /// with a reset; packets in the queue by then still cross the line.
    package func leave(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        guard peer.isConnected, peer.tls == nil else { return close(connection, at: now) }
        peer.isLeft = true
        finish(.up, on: connection, at: now)
    }

    /// Resets a connection from the client's end.
    ///
    /// The server stops when the reset arrives; packets in the queue by then still cross the line.
    package func close(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        leaveTrain()
        peer.close(on: &wire, at: now)
    }

    /// Resets a connection from the server's end.
    package func abandon(_ connection: Connection, at now: Instant) {
        guard let peer = peers[connection] else { return }
        leaveTrain()
        peer.abandon(on: &wire, at: now)
    }

    /// Processes all events up to an instant.
    ///
    /// - Parameters:
    ///   - stopsAtNews: True to stop after the first instant with an output.
    /// - Returns: The outputs with their times, in order.
    package func advance(to limit: Instant, stopsAtNews: Bool = false) -> [(at: Instant, output: LinkOutput)] {
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
            handle(entry, peer, at: instant)
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

    private func handle(_ entry: LinkQueue.Entry, _ peer: SimulatedConnection, at now: Instant) {
        if case .answer(let headBytes, let bodyBytes) = entry.event {
            peer.answersDue -= 1
            write(headBytes, .down, on: entry.connection, endsSegment: true, at: now)
            return write(bodyBytes, .down, on: entry.connection, at: now)
        }
        peer.handle(entry.event, on: &wire, at: now)
        guard peer.isForgotten else { return }
        peers[entry.connection] = nil
        latest = nil
    }

    private func runTrain(until limit: Instant, stopsAtNews: Bool) {
        guard let train else { return }
        latestInstant = max(latestInstant, train.run(on: &wire, until: limit, stopsAtNews: stopsAtNews))
        if train.isBroken { leaveTrain() }
    }

    /// Reschedules a deadline that has moved, without interrupting a train.
    private func putOff(_ entry: LinkQueue.Entry, _ peer: SimulatedConnection, at now: Instant) -> Bool {
        guard let train, train.peer === peer, case .senderDeadline(.down) = entry.event,
            let deadline = peer.ends.down.sender.deadline, deadline > now
        else { return false }
        (peer.ends.down.deadline, peer.ends.down.deadlineTimer) = (nil, nil)
        peer.ends.down.planDeadline(on: &wire)
        return true
    }

    /// Returns to single events, as the caller may change them.
    func leaveTrain() {
        guard let train else { return }
        self.train = nil
        train.leave(to: &wire.queue)
    }

    /// Finds a connection, with a shortcut for consecutive events of one connection.
    private func peer(of connection: Connection) -> SimulatedConnection? {
        if let latest, latest.connection == connection { return latest.peer }
        latest = peers[connection].map { (connection, $0) }
        return latest?.peer
    }
}
