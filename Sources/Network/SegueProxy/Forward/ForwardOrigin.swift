internal import Glibc
internal import SegueBase

/// A connection to a server for a client of a forward proxy: the client's end, for which the ``ForwardClient`` reads
/// and writes.
final class ForwardOrigin: ClientEnd {
    let server: Endpoint
    private weak var client: ForwardClient?
    /// The connection; nil after its end.
    weak var connection: ShapedConnection?
    var isReady = false

    var asked: Instant? { client?.asked }

    /// True if the client's own connection broke.
    var isBrokenOff = false
    /// The replacement for the socket of a client that has ended.
    private let nobody = ProxiedSocket(-1)

    init(_ server: Endpoint, of client: ForwardClient) { (self.server, self.client) = (server, client) }

    var socket: ProxiedSocket { client?.stream.socket ?? nobody }

    /// Detaches the client, which has ended or does not need the connection any more.
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
