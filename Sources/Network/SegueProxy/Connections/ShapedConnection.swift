internal import Glibc
internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// A connection whose bytes cross a link: read at one end, written at the other when the link's model says so.
final class ShapedConnection: ProxyConnection {
    /// How often a socket is read from in a row, so that others get their turn.
    private static let readsInARow = 4

    let record: ConnectionRecord
    let connection: LinkConnection
    unowned let engine: ProxyEngine
    let link: ProxiedLink
    let relay: Relay
    var clientSocket: ProxiedSocket
    var server: ServerSocket

    /// What its requests meet; nil where nobody looks at them.
    var filter: FaultFilter?
    /// Follows its requests; nil where it began out of sight, in the middle of something.
    var watch: ExchangeWatch?
    /// What the filter lets through to the server.
    var forward = ByteQueue()
    /// Whether a fault makes the client wait.
    var isPaused = false
    var pauseEnd = Instant.zero
    /// How a fault has ended the connection, whatever the server says.
    var cut: Cut?

    /// An end that a fault makes.
    enum Cut { case close, reset }

    // What of each direction is still to be done at its receiving end once it has taken all that has come.
    private var due: [LinkDirection: Ending] = [:]
    private var done: Set<LinkDirection> = []
    private var crossed: Set<LinkDirection> = []

    private enum Ending { case finish, reset }

    /// Whether the network's handshake is done for the client.
    private var isAnswered = false

    /// What the client's system has taken that its program has not read.
    private var clientUnread = UnreadBytes()
    private var written = 0
    /// When the client is looked at again, which has not read what came; and after how long a pause.
    private var nextLook = Instant.zero
    private var lookPause = ShapedConnection.leastLookPause
    private var looks = 0
    private var lookedAt = 0

    // A window that opens is no event where nothing waits to be written.
    private static let leastLookPause = Duration.milliseconds(1)
    private static let longestLookPause = Duration.milliseconds(16)

    /// How much of the latest may be on its way to be acknowledged without being unread: every second packet is.
    private static let acknowledgementLag = 2 * 1448

    /// How often a reset may still be postponed by a millisecond for bytes that the system has not sent.
    private var drainLimit = 1000

    /// The time that a client has to close its end after a fault has closed the connection.
    private static let closeLimit = Duration.seconds(60)

    init(
        _ record: ConnectionRecord,
        on link: ProxiedLink,
        engine: ProxyEngine,
        client: ProxiedSocket,
        server: ServerSocket
    ) {
        self.record = record
        self.link = link
        self.engine = engine
        self.server = server
        relay = link.relay
        clientSocket = client
        // One that has begun without a filter may be in the middle of a message.
        let isNew = server.isConnecting
        filter = link.hasFaults && isNew ? FaultFilter() : nil
        watch = isNew ? ExchangeWatch(keepsPlaylists: client.standIn == nil) : nil
        connection = relay.open(isEstablished: !server.isConnecting, at: link.now)
        setBuffers()
        if server.hasFailed { serverFailed() }
    }

    /// Has the sockets' own buffers fit the network, which may have changed.
    func setBuffers() {
        let buffers = SocketBuffers(link.profile)
        clientSocket.setSendBuffer(buffers.size(roundTrip: clientSocket.roundTrip))
        if server.socket.isOpen, !server.isConnecting {
            server.socket.setReceiveBuffer(buffers.size(roundTrip: server.socket.roundTrip))
        }
    }

    /// Takes over from a connection that went around the link: may be ready, and what it held is sent.
    func adopt(down: [UInt8], up: [UInt8]) {
        for end in [ProxyEnd.client, .server] { note(.everything, of: end) }
        relay.push(down, .down, on: connection, at: link.now)
        relay.push(up, .up, on: connection, at: link.now)
    }

    /// What the link says.
    func handle(_ effect: Relay.Effect) {
        switch effect {
        case .deliver, .read: break
        case .connected:
            isAnswered = true
            tellEstablished()
        case .finish(_, let direction):
            due[direction] = .finish
            crossed.insert(direction)
        case .reset(_, let direction): due[direction] = .reset
        case .unanswered: kill("the handshake was never answered")
        }
    }

    func work() -> Bool {
        clientSocket.noteStandIn()
        if server.isConnecting, server.socket.mayWrite { connected() }
        let more = read(.up)
        let moreDown = read(.down)
        write(.up)
        write(.down)
        return more || moreDown
    }

    private func connected() {
        switch server.conclude() {
        case .connected:
            setBuffers()
            tellEstablished()
        case .again: engine.watch(server.socket.descriptor, record, .server)
        case .failed: serverFailed()
        }
    }

    /// A client that is told of it learns that the connection is there.
    private func tellEstablished() {
        if isAnswered, !server.isConnecting, !server.hasFailed { clientSocket.standIn?.established() }
    }

    func serverFailed() {
        let outcome = clientSocket.standIn == nil ? "the client is reset" : "the client is told"
        engine.say("\(record.client): \(server.endpoint): \(server.failure); \(outcome)")
        engine.happened(.linkFailed(link: link.name, connection: record.number, message: server.failure))
        record.ending = server.failure
        relay.breakOff(.down, on: connection, at: link.now)
    }

    private func read(_ direction: LinkDirection) -> Bool {
        let end: ProxyEnd = direction == .up ? .client : .server
        guard !(end == .server && (server.isConnecting || isPaused || cut != nil)) else { return false }
        for _ in 0..<Self.readsInARow {
            let room = relay.room(direction, on: connection)
            guard isReadable(end), room > 0, !(end == .server && isPaused) else { return false }
            let buffer = engine.buffer(room)
            switch end == .client ? clientSocket.read(into: buffer) : server.socket.read(into: buffer) {
            case .moved(let count):
                if end == .client { watchSent(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                push(Array(buffer[..<count]), direction)
            case .notNow: return false
            case .ended: finish(direction)
            case .broken(let code): broke(end, code)
            }
        }
        return isReadable(end)
    }

    private func isReadable(_ end: ProxyEnd) -> Bool {
        let socket = end == .client ? clientSocket : server.socket
        return socket.isOpen && socket.mayRead && !socket.hasEnded
    }

    private func write(_ direction: LinkDirection) {
        if direction == .up, filter == nil, link.hasFaults { filterFromNextRequest() }
        if direction == .up, filter != nil { inspectRequests() }
        guard !(direction == .up && server.isConnecting) else { return }
        var failure: Int32?
        while failure == nil, isWritable(direction) {
            let taken = take(direction) { bytes in
                switch direction == .up ? server.socket.write(bytes) : clientSocket.write(bytes) {
                case .moved(let count):
                    if direction == .down { watchGot(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
                    return count
                case .broken(let code):
                    failure = code
                    return 0
                case .notNow, .ended: return 0
                }
            }
            guard let taken, taken > 0 else { break }
            record.count(taken, direction)
            if direction == .down { written += taken }
        }
        if let failure { return broke(direction == .up ? .server : .client, failure) }
        relay.settle(direction, on: connection, unread: direction == .down ? unreadByClient() : 0, at: link.now)
        if direction == .down { lookAgain() }
        if let ending = due[direction], !isWaiting(direction) { carryOut(ending, direction) }
    }

    /// How many bytes were written to the client that its program has not read.
    private func unreadByClient() -> Int {
        guard clientSocket.isOpen else { return 0 }
        let unacknowledged = clientSocket.unacknowledged
        // Only a system that has taken all that there is may have more room than it says.
        if unacknowledged > 0 || written > lookedAt || relay.arrived(.down, on: connection) > 0 {
            (looks, lookedAt) = (0, written)
        }
        let late = max(0, unacknowledged - Self.acknowledgementLag)
        guard let window = clientSocket.peerWindow else { return late }
        return late + clientUnread.count(window: window, acknowledged: written - unacknowledged, looks: looks)
    }

    /// Has a client that does not read looked at again after a while, a longer one each time.
    private func lookAgain() {
        guard relay.isHeldUp(.down, on: connection) else {
            (lookPause, looks) = (Self.leastLookPause, 0)
            return
        }
        guard nextLook <= link.now else { return }
        looks += 1
        nextLook = link.now + lookPause
        engine.wake(record, in: lookPause)
        lookPause = min(lookPause * 2, Self.longestLookPause)
    }

    /// Hands out bytes for the receiving end of a direction.
    private func take(_ direction: LinkDirection, _ take: (UnsafeRawBufferPointer) -> Int) -> Int? {
        guard direction == .up, filter != nil else { return relay.take(direction, on: connection, take) }
        return forward.count > 0 ? forward.take(forward.count, take) : nil
    }

    /// Whether the receiving end of a direction has not taken all that has come.
    private func isWaiting(_ direction: LinkDirection) -> Bool {
        if direction == .up, cut != nil { return false }
        return relay.arrived(direction, on: connection) > 0 || direction == .up && forward.count > 0
    }

    /// Whether something has come for the client, or the server has ended.
    var hasNews: Bool {
        server.hasFailed || crossed.contains(.down) || due[.down] != nil || relay.arrived(.down, on: connection) > 0
    }

    /// Ends the server's end, since a fault has ended the answers.
    func closeServer() { server.abandon() }

    private func isWritable(_ direction: LinkDirection) -> Bool {
        let socket = direction == .up ? server.socket : clientSocket
        return socket.isOpen && socket.mayWrite
    }

    private func carryOut(_ ending: Ending, _ direction: LinkDirection) {
        let target = direction == .down ? clientSocket : server.socket
        if ending == .reset || direction == .down && cut == .reset, !target.isDrained, drainLimit > 0 {
            // A reset discards the bytes that the system has not sent yet.
            drainLimit -= 1
            return engine.wake(record, in: .milliseconds(1))
        }
        due[direction] = nil
        switch ending {
        case .reset:
            // Both ends are told at once where neither of them did it.
            let words = direction == .up ? "reset by the client" : "reset by the server"
            kill(record.ending ?? (due[direction.opposite] == .reset ? "the client has another address now" : words))
        case .finish:
            if direction == .down, cut == .reset { return kill("reset by a fault") }
            if direction == .down { watchEnds() }
            direction == .up ? server.socket.endWriting() : clientSocket.endWriting()
            done.insert(direction)
            if direction == .down, cut == .close { closeLater() }
            if done.count == 2 {
                clientSocket.close()
                server.socket.close()
                end("closed")
            }
        }
    }

    /// Closes the client's end if the client has not closed its own within the limit.
    ///
    /// Until then the client's bytes are read and discarded: closing a socket with unread bytes resets it.
    private func closeLater() {
        engine.call(in: Self.closeLimit) { [weak self] in
            guard let self, link.shaped[connection] === self else { return }
            clientSocket.close()
            end("closed")
        }
    }

    /// An end is gone; the other one learns of it when the news has crossed the link.
    private func broke(_ end: ProxyEnd, _ code: Int32) {
        record.ending = "\(end == .client ? "client" : "server"): \(SystemError.words(code))"
        guard crossed.count < 2 else { return kill(record.ending ?? "") }
        switch end {
        case .client:
            watchOver(isGivenUp: true, "")
            clientSocket.close()
        case .server: server.socket.close()
        }
        relay.breakOff(end == .client ? .up : .down, on: connection, at: link.now)
    }

    func end(_ reason: String) {
        watchOver(isGivenUp: record.ending?.hasPrefix("client: ") ?? (reason == "reset by the client"), reason)
        relay.forget(connection)
        link.shaped[connection] = nil
        engine.ended(record, on: link, reason)
    }
}
