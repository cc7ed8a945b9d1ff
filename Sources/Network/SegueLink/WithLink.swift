internal import SegueData
internal import SegueNetworkModel
public import SegueProxy

/// The address of a listener: a host and a port.
public typealias LinkAddress = Endpoint

extension LinkAddress {
    /// Returns an address on this machine's loopback interface.
    ///
    /// - Parameter port: The port, from 1 to 65535.
    /// - Returns: The address, `127.0.0.1` with the port.
    public static func loopback(port: Int) -> LinkAddress { LinkAddress(host: "127.0.0.1", port: port) }
}

/// The network of a link.
public struct LinkNetwork: Sendable, ExpressibleByStringLiteral {
    private let source: NetworkSource

    /// Creates a network by its name, such as `3g`, or by the path of a YAML file.
    ///
    /// - Parameter name: The name or the path; an unknown one is an error when the network is used.
    public init(_ name: String) { source = .named(name) }

    /// Creates a network by its name or by the path of a file.
    ///
    /// - Parameter name: The name or the path.
    public init(stringLiteral name: String) { self.init(name) }

    /// Creates a network from the content of a YAML file.
    ///
    /// - Parameter text: The YAML; errors in it are reported when the network is used.
    /// - Returns: The network.
    public static func yaml(_ text: String) -> LinkNetwork { LinkNetwork(source: .yaml(text)) }

    private init(source: NetworkSource) { self.source = source }

    /// The network's parameters.
    ///
    /// - Throws: An error with a one-line description.
    func profile() throws -> LinkProfile { try source.profile() }
}

/// The receive window of a client's connection: the bytes that may be unread or in flight.
public struct LinkReceiveWindow: Sendable, ExpressibleByIntegerLiteral {
    let window: ReceiveWindow

    /// Linux's autotuning: 92 KiB, and more with the bytes read per round trip, up to 3 MiB.
    public static let tuned = LinkReceiveWindow(window: .tuned)

    /// Returns a fixed window, as with SO_RCVBUF.
    ///
    /// - Parameter count: The number of bytes, at least 1.
    /// - Returns: The window.
    public static func bytes(_ count: Int) -> LinkReceiveWindow { LinkReceiveWindow(window: .fixed(max(1, count))) }

    /// Creates a fixed window.
    ///
    /// - Parameter count: The number of bytes, at least 1.
    public init(integerLiteral count: Int) { self = .bytes(count) }

    private init(window: ReceiveWindow) { self.window = window }
}

/// Simulates a network in front of a TCP server while `work` runs, in real time.
///
/// All connections to the address share the link: its rate, queue, and losses. When `work` ends, the connections are
/// reset and the listener closes.
///
/// - Parameters:
///   - network: The network, such as `"3g"`.
///   - server: The address of the server behind the network.
///   - seed: The seed of all randomness.
///   - receiveWindow: The receive window of each client's connection, which limits the bytes on the network after a
///     client stops reading or cancels a request.
///   - work: Receives the address at which clients reach the server over the network: a free port on the loopback
///     interface.
/// - Returns: The result of `work`.
/// - Throws: The errors of `work`; a `ProxyError` if the server's name cannot be resolved or no port is available; an
///   error with a one-line description for an unknown or invalid network.
public func withLink<Result>(
    network: LinkNetwork,
    to server: LinkAddress,
    seed: UInt64 = 1,
    receiveWindow: LinkReceiveWindow = .tuned,
    _ work: (LinkAddress) async throws -> Result
) async throws -> Result {
    try await run(network, to: server, seed: seed, receiveWindow: receiveWindow, work)
}

/// Runs a forward proxy over a simulated network while `work` runs, in real time, for HTTP, CONNECT, and SOCKS 5.
///
/// All servers share the network, and the first use of a name costs a DNS query over it. Otherwise it works like
/// ``withLink(network:to:seed:receiveWindow:_:)``.
///
/// - Parameters:
///   - network: The network, such as `"3g"`.
///   - seed: The seed of all randomness.
///   - receiveWindow: The receive window of each client's connection.
///   - work: Receives the address of the proxy, on the loopback interface.
/// - Returns: The result of `work`.
/// - Throws: The errors of `work`; a `ProxyError` if no port is available; an error with a one-line description for an
///   unknown or invalid network.
public func withProxy<Result>(
    network: LinkNetwork,
    seed: UInt64 = 1,
    receiveWindow: LinkReceiveWindow = .tuned,
    _ work: (LinkAddress) async throws -> Result
) async throws -> Result {
    try await run(network, to: nil, seed: seed, receiveWindow: receiveWindow, work)
}

private func run<Result>(
    _ network: LinkNetwork,
    to server: LinkAddress?,
    seed: UInt64,
    receiveWindow: LinkReceiveWindow,
    _ work: (LinkAddress) async throws -> Result
) async throws -> Result {
    let route = LinkPlan.Route(listen: Endpoint(host: "127.0.0.1", port: 0), server: server)
    let plan = try LinkPlan(
        name: "link",
        network: network.profile(),
        seed: seed,
        receiveWindow: receiveWindow.window,
        routes: [route]
    )
    let proxy = try LinkProxy()
    do {
        let bound = try await proxy.add(plan)
        let result = try await work(bound[0])
        await proxy.stop()
        return result
    } catch {
        await proxy.stop()
        throw error
    }
}
