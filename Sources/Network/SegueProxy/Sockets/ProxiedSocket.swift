internal import CSegueSystem
internal import Glibc
internal import SegueBase

/// What has a client's end of a connection in the place of a socket.
protocol ClientEnd: AnyObject {
    /// Reads what the client has for this connection.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ProxiedSocket.Outcome
    /// Writes to the client.
    func write(_ bytes: UnsafeRawBufferPointer) -> ProxiedSocket.Outcome
    /// The connection is there: the network's handshake is done, and the server has accepted it.
    func established()
    /// Nothing more comes for the client.
    func endWriting()
    /// The connection is over.
    func close()
    /// The connection is broken off.
    func reset()
    /// The client's own socket.
    var socket: ProxiedSocket { get }
    /// When the client asked for what is read at present; nil where that is when it is read.
    var asked: Instant? { get }
    /// Whether reading and writing may come to something again.
    var isReady: Bool { get set }
}

/// One end of a connection through the proxy: its socket, and what is known of it.
struct ProxiedSocket {
    /// What came of reading or writing.
    enum Outcome: Equatable {
        /// So many bytes, above zero.
        case moved(Int)
        /// Not now.
        case notNow
        /// The other side has nothing more to say.
        case ended
        /// The connection is broken.
        case broken(Int32)
    }

    /// Below zero when it is closed.
    private(set) var descriptor: Int32
    var mayRead = false
    var mayWrite = false
    var hasEnded = false

    /// What stands in its place.
    private(set) var standIn: (any ClientEnd)?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// An end for which something else reads and writes.
    init(_ standIn: any ClientEnd) { (descriptor, self.standIn) = (-1, standIn) }

    var isOpen: Bool { descriptor >= 0 || standIn != nil }

    /// This machine's end of it.
    var local: Endpoint? {
        var address = ssock_address()
        return ssock_local(descriptor, &address) == 0 ? SocketAddress(raw: address).endpoint : nil
    }

    /// Notes what the system says of it.
    mutating func note(_ event: Poller.Event) {
        mayRead = mayRead || event.isReadable || event.isBroken
        mayWrite = mayWrite || event.isWritable || event.isBroken
    }

    /// Notes what is known of what stands in its place.
    mutating func noteStandIn() {
        guard let standIn, standIn.isReady else { return }
        standIn.isReady = false
        (mayRead, mayWrite) = (true, true)
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        guard let standIn else { return came(ssock_read(descriptor, buffer.baseAddress, buffer.count)) }
        let outcome = standIn.read(into: buffer)
        if case .moved = outcome { return outcome }
        mayRead = false
        hasEnded = hasEnded || outcome == .ended
        return outcome
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        if let standIn {
            let outcome = standIn.write(bytes)
            if case .moved = outcome { return outcome }
            mayWrite = false
            return outcome
        }
        let count = ssock_write(descriptor, bytes.baseAddress, bytes.count)
        guard count < 0 else { return .moved(count) }
        mayWrite = false
        return SystemError.isPassing(Int32(-count)) ? .notNow : .broken(Int32(-count))
    }

    /// Moves bytes that have come into a pipe, which is empty.
    mutating func splice(to pipe: Int32, _ most: Int) -> Outcome {
        came(ssock_splice(descriptor, pipe, most))
    }

    /// What reading came to, by what the system says of it.
    private mutating func came(_ count: Int) -> Outcome {
        guard count <= 0 else { return .moved(count) }
        mayRead = false
        guard count < 0 else {
            hasEnded = true
            return .ended
        }
        return SystemError.isPassing(Int32(-count)) ? .notNow : .broken(Int32(-count))
    }

    /// Moves bytes out of a pipe, which has them.
    mutating func splice(from pipe: Int32, _ most: Int) -> Outcome {
        let count = ssock_splice(pipe, descriptor, most)
        guard count <= 0 else { return .moved(count) }
        mayWrite = false
        return SystemError.isPassing(Int32(-count)) ? .notNow : .broken(Int32(-count))
    }

    /// What became of the attempt to connect; 0 for success.
    var error: Int32 { ssock_error(descriptor) }

    /// The round trip as the system measures it, in seconds.
    var roundTrip: Double {
        if let standIn { return standIn.socket.roundTrip }
        return isOpen ? Double(ssock_round_trip(descriptor)) / 1e6 : 0
    }

    func setSendBuffer(_ bytes: Int) {
        if let standIn { return standIn.socket.setSendBuffer(bytes) }
        if isOpen { ssock_set_send_buffer(descriptor, Int32(bytes)) }
    }

    func setReceiveBuffer(_ bytes: Int) { if isOpen { ssock_set_receive_buffer(descriptor, Int32(bytes)) } }

    /// Whether the other side's system has all that was written.
    var isDrained: Bool { standIn?.socket.isDrained ?? (!isOpen || ssock_unsent(descriptor) == 0) }

    /// How many bytes were written that the other side's system has not said it has.
    var unacknowledged: Int { standIn?.socket.unacknowledged ?? (isOpen ? Int(ssock_unsent(descriptor)) : 0) }

    /// The room that the other side's system announced last, in bytes; nil where that is not known.
    var peerWindow: Int? {
        if let standIn { return standIn.socket.peerWindow }
        let window = isOpen ? ssock_peer_window(descriptor) : -1
        return window < 0 ? nil : window
    }

    func endWriting() {
        if let standIn { return standIn.endWriting() }
        ssock_end_writing(descriptor)
    }

    mutating func close() {
        if let standIn {
            self.standIn = nil
            return standIn.close()
        }
        guard isOpen else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    mutating func reset() {
        if let standIn {
            self.standIn = nil
            return standIn.reset()
        }
        guard isOpen else { return }
        ssock_reset(descriptor)
        descriptor = -1
    }
}
