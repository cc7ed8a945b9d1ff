internal import CSockets
internal import Glibc

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

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    var isOpen: Bool { descriptor >= 0 }

    /// Notes what the system says of it.
    mutating func note(_ event: Poller.Event) {
        mayRead = mayRead || event.isReadable || event.isBroken
        mayWrite = mayWrite || event.isWritable || event.isBroken
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        came(ssock_read(descriptor, buffer.baseAddress, buffer.count))
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
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
    var roundTrip: Double { isOpen ? Double(ssock_round_trip(descriptor)) / 1e6 : 0 }

    func setSendBuffer(_ bytes: Int) { if isOpen { ssock_set_send_buffer(descriptor, Int32(bytes)) } }

    func setReceiveBuffer(_ bytes: Int) { if isOpen { ssock_set_receive_buffer(descriptor, Int32(bytes)) } }

    /// Whether the other side's system has all that was written.
    var isDrained: Bool { !isOpen || ssock_unsent(descriptor) == 0 }

    /// How many bytes were written that the other side's system has not said it has.
    var unacknowledged: Int { isOpen ? Int(ssock_unsent(descriptor)) : 0 }

    /// The room that the other side's system announced last, in bytes; nil where that is not known.
    var peerWindow: Int? {
        let window = isOpen ? ssock_peer_window(descriptor) : -1
        return window < 0 ? nil : window
    }

    func endWriting() { ssock_end_writing(descriptor) }

    mutating func close() {
        guard isOpen else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    mutating func reset() {
        guard isOpen else { return }
        ssock_reset(descriptor)
        descriptor = -1
    }
}
