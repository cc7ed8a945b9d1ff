internal import CSegueSystem
internal import Glibc

/// A server with its addresses, which are tried in order.
struct Upstream {
    let endpoint: Endpoint
    private let addresses: [SocketAddress]
    private var next = 0

    /// - Throws: ``ProxyError`` if the host is unknown.
    init(_ endpoint: Endpoint) throws(ProxyError) {
        self.endpoint = endpoint
        addresses = try SocketAddress.resolve(endpoint, toListen: false)
    }

    /// Creates a server with known addresses, for any port.
    init(_ endpoint: Endpoint, at addresses: [SocketAddress]) {
        self.endpoint = endpoint
        self.addresses = addresses.map { $0.with(port: endpoint.port) }
    }

    /// The result of an attempt.
    enum Attempt {
        case begun(Int32)
        case failed(Int32)
    }

    /// True if an address is left.
    var hasAnother: Bool { next < addresses.count }

    /// Begins to connect to the next address.
    ///
    /// - Parameter receiveBuffer: The size of the receive buffer; 0 for the system's default.
    /// - Returns: The socket, or the system's error.
    mutating func connect(receiveBuffer: Int) -> Attempt {
        var code = ECONNREFUSED
        while hasAnother {
            defer { next += 1 }
            var raw = addresses[next].raw
            let descriptor = ssock_connect(&raw, Int32(receiveBuffer))
            guard descriptor < 0 else { return .begun(descriptor) }
            code = -descriptor
        }
        return .failed(code)
    }
}
