internal import CSegueSystem
internal import Glibc

/// The way to a server: its addresses, tried one after the other.
struct Upstream {
    let endpoint: Endpoint
    private let addresses: [SocketAddress]
    private var next = 0

    /// - Throws: ``ProxyError`` when the host is not known.
    init(_ endpoint: Endpoint) throws(ProxyError) {
        self.endpoint = endpoint
        addresses = try SocketAddress.resolve(endpoint, toListen: false)
    }

    /// The way to a server whose addresses are known, for any port.
    init(_ endpoint: Endpoint, at addresses: [SocketAddress]) {
        self.endpoint = endpoint
        self.addresses = addresses.map { $0.with(port: endpoint.port) }
    }

    /// What became of an attempt.
    enum Attempt {
        case begun(Int32)
        case failed(Int32)
    }

    /// Whether there is an address that was not tried.
    var hasAnother: Bool { next < addresses.count }

    /// Begins to connect to the next address.
    ///
    /// - Parameter receiveBuffer: The size of the socket's receive buffer; 0 for the system's.
    /// - Returns: The socket, or the system's reason.
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
