internal import Glibc
internal import SegueBase
internal import SegueEvents
internal import SegueNetworkModel

/// A connection over a simulated link: bytes are read at one end, and written at the other when the link's model
/// delivers them.
final class ShapedConnection: ProxyConnection {
    /// The maximum number of consecutive reads from a socket, for fairness.
    private static let readsInARow = 4

    let record: ConnectionRecord
    let connection: LinkConnection
    unowned let engine: ProxyEngine
    let link: ProxiedLink
    let relay: Relay
    var clientSocket: ProxiedSocket
    var server: ServerSocket

    var faults = ConnectionFaults()
    /// Reports its requests; nil if the connection began before it was shaped.
    private(set) var exchanges: ExchangeReporter?

    // The end of each direction that is due when its receiving end has taken all bytes.
    private var due: [LinkDirection: Ending] = [:]
    private var done: Set<LinkDirection> = []
    private var crossed: Set<LinkDirection> = []

    private enum Ending { case finish, reset }

    /// True if the client's handshake over the network is complete.
    private var isAnswered = false

    private var clientUnread = ClientUnread()

    /// The number of times that a reset may be postponed by a millisecond for bytes that the system has not sent.
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
        // A connection that began without a filter may be in the middle of a message.
        let isNew = server.isConnecting
        if link.hasFaults, isNew { faults.filter = FaultFilter() }
        if isNew {
            let isForwarded = client.standIn != nil
            exchanges = ExchangeReporter(
                record,
                to: server.endpoint,
                isForwarded: isForwarded,
                on: link,
                engine: engine
            )
        }
        connection = relay.open(isEstablished: !server.isConnecting, at: link.now)
        setBuffers()
        if server.hasFailed { serverFailed() }
    }

    /// Adjusts the sockets' buffers to the network.
    func setBuffers() {
        let buffers = SocketBuffers(link.profile)
        clientSocket.setSendBuffer(buffers.size(roundTrip: clientSocket.roundTrip))
        if server.socket.isOpen, !server.isConnecting {
            server.socket.setReceiveBuffer(buffers.size(roundTrip: server.socket.roundTrip))
        }
    }

    /// Takes over from a spliced connection, with the bytes that it held.
    func adopt(down: [UInt8], up: [UInt8]) {
        for end in [ProxyEnd.client, .server] { note(.everything, of: end) }
        relay.push(down, .down, on: connection, at: link.now)
        relay.push(up, .up, on: connection, at: link.now)
    }

    /// Processes an action of the link.
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
        case .unanswered: kill(.unanswered)
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
        case .again: engine.watch(server.socket.descriptor, of: record, .server)
        case .failed: serverFailed()
        }
    }

    /// Informs a forward proxy's client of an established connection.
    private func tellEstablished() {
        if isAnswered, !server.isConnecting, !server.hasFailed { clientSocket.standIn?.established() }
    }

    func serverFailed() {
        guard let failure = server.failure else { return }
        let outcome = clientSocket.standIn == nil ? "the client is reset" : "the client receives an error"
        engine.say("\(record.client): \(server.endpoint): \(failure); \(outcome)")
        engine.happened(.linkFailed(link: link.name, connection: record.number, message: "\(failure)"))
        record.ending = .serverFailed(failure)
        relay.breakOff(.down, on: connection, at: link.now)
    }

    private func read(_ direction: LinkDirection) -> Bool {
        let end: ProxyEnd = direction == .up ? .client : .server
        guard !(end == .server && (server.isConnecting || faults.stopsServer)) else { return false }
        for _ in 0..<Self.readsInARow {
            let room = relay.room(direction, on: connection)
            guard isReadable(end), room > 0, !(end == .server && faults.isPaused) else { return false }
            let buffer = engine.buffer(room)
            switch end == .client ? clientSocket.read(into: buffer) : server.socket.read(into: buffer) {
            case .moved(let count):
                if end == .client {
                    let asked = clientSocket.standIn?.asked ?? link.now
                    exchanges?.sent(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: asked)
                }
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
        if direction == .up, faults.filter == nil, link.hasFaults { filterFromNextRequest() }
        if direction == .up, faults.filter != nil { inspectRequests() }
        guard !(direction == .up && server.isConnecting) else { return }
        var failure: Int32?
        while failure == nil, isWritable(direction) {
            let taken = take(direction) { bytes in
                switch direction == .up ? server.socket.write(bytes) : clientSocket.write(bytes) {
                case .moved(let count):
                    if direction == .down { exchanges?.got(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
                    return count
                case .broken(let code):
                    failure = code
                    return 0
                case .notNow, .ended: return 0
                }
            }
            guard let taken, taken > 0 else { break }
            record.count(taken, direction)
            if direction == .down { clientUnread.wrote(taken) }
        }
        if let failure { return broke(direction == .up ? .server : .client, failure) }
        settle(direction)
        if let ending = due[direction], !isWaiting(direction) { carryOut(ending, direction) }
    }

    /// Updates the link's knowledge of unread bytes, and schedules the next check of a client that does not read.
    private func settle(_ direction: LinkDirection) {
        guard direction == .down else { return relay.settle(direction, on: connection, at: link.now) }
        let isWaiting = relay.arrived(.down, on: connection) > 0
        let unread = clientUnread.count(clientSocket, isWaiting: isWaiting)
        relay.settle(.down, on: connection, unread: unread, at: link.now)
        let isHeldUp = relay.isHeldUp(.down, on: connection)
        if let pause = clientUnread.nextCheck(isHeldUp: isHeldUp, at: link.now) { engine.wake(record, in: pause) }
    }

    /// Passes bytes to the receiving end of a direction.
    private func take(_ direction: LinkDirection, _ take: (UnsafeRawBufferPointer) -> Int) -> Int? {
        guard direction == .up, faults.filter != nil else { return relay.take(direction, on: connection, take) }
        return faults.forward.count > 0 ? faults.forward.take(faults.forward.count, take) : nil
    }

    /// Returns whether the receiving end of a direction has not taken all bytes.
    private func isWaiting(_ direction: LinkDirection) -> Bool {
        if direction == .up, faults.cut != nil { return false }
        return relay.arrived(direction, on: connection) > 0 || direction == .up && faults.forward.count > 0
    }

    /// True if bytes for the client have arrived, or the server has ended the connection.
    var hasNews: Bool {
        server.hasFailed || crossed.contains(.down) || due[.down] != nil || relay.arrived(.down, on: connection) > 0
    }

    /// Ends the server's connection after a fault.
    func closeServer() { server.abandon() }

    private func isWritable(_ direction: LinkDirection) -> Bool {
        let socket = direction == .up ? server.socket : clientSocket
        return socket.isOpen && socket.mayWrite
    }

    private func carryOut(_ ending: Ending, _ direction: LinkDirection) {
        let target = direction == .down ? clientSocket : server.socket
        if ending == .reset || direction == .down && faults.cut == .reset, !target.isDrained, drainLimit > 0 {
            // A reset discards the bytes that the system has not sent yet.
            drainLimit -= 1
            return engine.wake(record, in: .milliseconds(1))
        }
        due[direction] = nil
        switch ending {
        case .reset:
            // A change of the client's address resets both ends.
            let ending = ConnectionEnding.reset(by: direction == .up ? .client : .server)
            kill(record.ending ?? (due[direction.opposite] == .reset ? .handover : ending))
        case .finish:
            if direction == .down, faults.cut == .reset { return kill(.resetByFault) }
            if direction == .down { exchanges?.answersEnded() }
            direction == .up ? server.socket.endWriting() : clientSocket.endWriting()
            done.insert(direction)
            if direction == .down, faults.cut == .close { closeLater() }
            if done.count == 2 {
                clientSocket.close()
                server.socket.close()
                end(.closed)
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
            end(.closed)
        }
    }

    /// Handles a broken end, and informs the other end over the link.
    private func broke(_ end: ProxyEnd, _ code: Int32) {
        let ending = ConnectionEnding.brokenEnd(end, code)
        record.ending = ending
        guard crossed.count < 2 else { return kill(ending) }
        switch end {
        case .client:
            exchangesEnd(isGivenUp: true, "")
            clientSocket.close()
        case .server: server.socket.close()
        }
        relay.breakOff(end == .client ? .up : .down, on: connection, at: link.now)
    }

    private func exchangesEnd(isGivenUp: Bool, _ reason: String) {
        exchanges?.over(isGivenUp: isGivenUp, reason)
        exchanges = nil
    }

    func end(_ reason: ConnectionEnding) {
        exchangesEnd(isGivenUp: (record.ending ?? reason).isByClient, "\(reason)")
        relay.forget(connection)
        link.shaped[connection] = nil
        engine.ended(record, on: link, reason)
    }
}
