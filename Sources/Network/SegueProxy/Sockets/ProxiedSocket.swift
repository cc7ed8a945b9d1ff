internal import CSegueSystem
internal import Glibc
internal import SegueBase

/// A client's end of a connection without a socket of its own.
protocol ClientEnd: AnyObject {
    func read(into buffer: UnsafeMutableRawBufferPointer) -> ProxiedSocket.Outcome
    func write(_ bytes: UnsafeRawBufferPointer) -> ProxiedSocket.Outcome
    /// Reports that the server has accepted, and the handshake over the network is complete.
    func established()
    /// Ends the data for the client.
    func endWriting()
    func close()
    func reset()
    /// The client's own socket.
    var socket: ProxiedSocket { get }
    /// The time of the request that is being read; nil for the time of reading.
    var asked: Instant? { get }
    /// True if reading and writing may succeed again.
    var isReady: Bool { get set }
}

/// One end of a connection through the proxy: its socket and its state.
struct ProxiedSocket {
    /// The result of reading or writing.
    enum Outcome: Equatable {
        /// The number of moved bytes, above zero.
        case moved(Int)
        /// The operation would block.
        case notNow
        /// The other side has closed its end.
        case ended
        /// The connection is broken, with the system's error.
        case broken(Int32)
    }

    /// The descriptor; negative after closing.
    private(set) var descriptor: Int32
    var mayRead = false
    var mayWrite = false
    var hasEnded = false

    /// The replacement for a socket.
    private(set) var standIn: (any ClientEnd)?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Creates an end without a socket.
    init(_ standIn: any ClientEnd) { (descriptor, self.standIn) = (-1, standIn) }

    var isOpen: Bool { descriptor >= 0 || standIn != nil }

    /// The local address.
    var local: Endpoint? {
        var address = ssock_address()
        return ssock_local(descriptor, &address) == 0 ? SocketAddress(raw: address).endpoint : nil
    }

    /// Records an event of the poller.
    mutating func note(_ event: Poller.Event) {
        mayRead = mayRead || event.isReadable || event.isBroken
        mayWrite = mayWrite || event.isWritable || event.isBroken
    }

    /// Records the readiness of the replacement.
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

    /// Moves received bytes to a pipe, which is empty.
    mutating func splice(to pipe: Int32, _ most: Int) -> Outcome {
        came(ssock_splice(descriptor, pipe, most))
    }

    /// The result of reading.
    private mutating func came(_ count: Int) -> Outcome {
        guard count <= 0 else { return .moved(count) }
        mayRead = false
        guard count < 0 else {
            hasEnded = true
            return .ended
        }
        return SystemError.isPassing(Int32(-count)) ? .notNow : .broken(Int32(-count))
    }

    /// Moves bytes from a pipe, which is not empty.
    mutating func splice(from pipe: Int32, _ most: Int) -> Outcome {
        let count = ssock_splice(pipe, descriptor, most)
        guard count <= 0 else { return .moved(count) }
        mayWrite = false
        return SystemError.isPassing(Int32(-count)) ? .notNow : .broken(Int32(-count))
    }

    /// The result of a connection attempt; 0 for success.
    var error: Int32 { ssock_error(descriptor) }

    /// The system's round-trip estimate, in seconds.
    var roundTrip: Double {
        if let standIn { return standIn.socket.roundTrip }
        return isOpen ? Double(ssock_round_trip(descriptor)) / 1e6 : 0
    }

    func setSendBuffer(_ bytes: Int) {
        if let standIn { return standIn.socket.setSendBuffer(bytes) }
        if isOpen { ssock_set_send_buffer(descriptor, Int32(bytes)) }
    }

    func setReceiveBuffer(_ bytes: Int) { if isOpen { ssock_set_receive_buffer(descriptor, Int32(bytes)) } }

    /// True if the other side's system has acknowledged everything.
    var isDrained: Bool { standIn?.socket.isDrained ?? (!isOpen || ssock_unsent(descriptor) == 0) }

    /// The number of unacknowledged bytes.
    var unacknowledged: Int { standIn?.socket.unacknowledged ?? (isOpen ? Int(ssock_unsent(descriptor)) : 0) }

    /// The window announced by the other side, in bytes; nil if it is unknown.
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
