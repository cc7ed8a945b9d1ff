internal import SegueData
internal import SegueNetworkModel
public import SegueProxy

/// Where something listens: a host and a port.
public typealias LinkAddress = Endpoint

extension LinkAddress {
    /// Where something listens on this machine's loopback interface.
    ///
    /// - Parameter port: The port, from 1 to 65535.
    /// - Returns: The address, `127.0.0.1` with the port.
    public static func loopback(port: Int) -> LinkAddress { LinkAddress(host: "127.0.0.1", port: port) }
}

/// The network that a link is.
public struct LinkNetwork: Sendable, ExpressibleByStringLiteral {
    private let source: NetworkSource

    /// A network by its name, such as `3g`, or by the path of a YAML file.
    ///
    /// - Parameter name: The name or the path; where there is no such network, it is told where the network is used.
    public init(_ name: String) { source = .named(name) }

    /// A network by its name or by the path of a file.
    ///
    /// - Parameter name: The name or the path.
    public init(stringLiteral name: String) { self.init(name) }

    /// A network as a YAML file would describe it.
    ///
    /// - Parameter text: The YAML; what is wrong with it is told where the network is used.
    /// - Returns: The network.
    public static func yaml(_ text: String) -> LinkNetwork { LinkNetwork(source: .yaml(text)) }

    private init(source: NetworkSource) { self.source = source }

    /// The network in numbers.
    ///
    /// - Throws: An error that says what is wrong, in one line.
    func profile() throws -> LinkProfile { try source.profile() }
}

/// How much of what comes over a link a client's system takes on a connection that its program does not read.
public struct LinkReceiveWindow: Sendable, ExpressibleByIntegerLiteral {
    let window: ReceiveWindow

    /// As much as Linux takes: some 92 KiB, and more the more was read in a round trip, up to 3 MiB.
    public static let tuned = LinkReceiveWindow(window: .tuned)

    /// So much, whatever is read, as with SO_RCVBUF.
    ///
    /// - Parameter count: How many bytes; fewer than 1 are taken as 1.
    /// - Returns: The window.
    public static func bytes(_ count: Int) -> LinkReceiveWindow { LinkReceiveWindow(window: .fixed(max(1, count))) }

    /// So many bytes, whatever is read.
    ///
    /// - Parameter count: How many bytes; fewer than 1 are taken as 1.
    public init(integerLiteral count: Int) { self = .bytes(count) }

    private init(window: ReceiveWindow) { self.window = window }
}

/// Puts a network before a TCP server while something is done with it, in real time.
///
/// All connections to the address share the link: its rate, its queue, its losses. When the work is done or has failed,
/// the connections are reset and nothing listens any more.
///
/// - Parameters:
///   - network: The network, such as `"3g"`.
///   - server: The server.
///   - seed: The seed of everything random on the network.
///   - receiveWindow: How much a client's system lets be unread and on its way to it on a connection: where it stops reading
///     no more comes over the network, and where it gives a request up no more is in the network's queue.
///   - work: What is done with the address at which clients reach the server over the network: one of the loopback
///     interface, with a port that the system picks.
/// - Returns: What the work returns.
/// - Throws: What the work throws; a `ProxyError` when the server's name is unknown or nothing can be listened on; an
///   error with one line when there is no such network, or it is described wrongly.
public func withLink<Result>(
    network: LinkNetwork,
    to server: LinkAddress,
    seed: UInt64 = 1,
    receiveWindow: LinkReceiveWindow = .tuned,
    _ work: (LinkAddress) async throws -> Result
) async throws -> Result {
    try await run(network, to: server, seed, receiveWindow, work)
}

/// Runs a forward proxy over a network while something is done with it, in real time: HTTP, CONNECT and SOCKS 5.
///
/// All servers that its clients reach share the network, and the first use of a name costs a question over it. Else it
/// is as ``withLink(network:to:seed:receiveWindow:_:)``.
///
/// - Parameters:
///   - network: The network, such as `"3g"`.
///   - seed: The seed of everything random on the network.
///   - receiveWindow: How much a client's system lets be unread and on its way to it on a connection.
///   - work: What is done with the address that clients have as their proxy: one of the loopback interface.
/// - Returns: What the work returns.
/// - Throws: What the work throws; a `ProxyError` when nothing can be listened on; an error with one line when there is
///   no such network, or it is described wrongly.
public func withProxy<Result>(
    network: LinkNetwork,
    seed: UInt64 = 1,
    receiveWindow: LinkReceiveWindow = .tuned,
    _ work: (LinkAddress) async throws -> Result
) async throws -> Result {
    try await run(network, to: nil, seed, receiveWindow, work)
}

private func run<Result>(
    _ network: LinkNetwork,
    to server: LinkAddress?,
    _ seed: UInt64,
    _ receiveWindow: LinkReceiveWindow,
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
