internal import Glibc
internal import SegueBase

/// A connection to a server that a client of a forward proxy has asked for: its client's end, for which the
/// ``ForwardClient`` reads and writes.
final class ForwardOrigin: ClientEnd {
    /// The server.
    let server: Endpoint
    private weak var client: ForwardClient?
    /// The connection; nil when it is over.
    weak var connection: ShapedConnection?
    var isReady = false

    var asked: Instant? { client?.asked }

    /// Whether the client has broken its own connection off, and not only ended it.
    var isBrokenOff = false
    /// What to show of a client that is gone.
    private let nobody = ProxiedSocket(-1)

    init(_ server: Endpoint, of client: ForwardClient) { (self.server, self.client) = (server, client) }

    var socket: ProxiedSocket { client?.socket ?? nobody }

    /// The client is gone, or has no further use for the connection.
    func letGo(isBrokenOff: Bool) {
        client = nil
        self.isBrokenOff = isBrokenOff
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> ProxiedSocket.Outcome {
        client?.read(for: self, into: buffer) ?? (isBrokenOff ? .broken(ECONNRESET) : .ended)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> ProxiedSocket.Outcome {
        client?.write(bytes, from: self) ?? .broken(EPIPE)
    }

    func established() { client?.established(self) }

    func endWriting() { client?.finished(self) }

    func close() { client?.over(self, isReset: false) }

    func reset() { client?.over(self, isReset: true) }
}
