import Foundation
import SegueData
import SegueEvents
import SegueNetworkModel
import SegueProxy
import SegueSuite

/// Begins what real players need on this machine: a server of a file, a network before a server, a driver.
struct RealPlayers: RealPlaying {
    /// The program, which serves files as well.
    let program: String
    /// The address of this machine at which players reach the networks.
    let address: String

    func serve(
        _ file: String,
        over network: LinkProfile,
        seed: UInt64,
        tell: @escaping @Sendable (EventKind) -> Void
    ) throws -> any RealNetwork {
        let server = try LocalServer(file: file, program: program)
        do {
            return try LinkedServer(server.address, at: address, over: network, seed: seed, holding: server, tell: tell)
        } catch {
            server.end()
            throw error
        }
    }

    func reach(
        _ base: String,
        over network: LinkProfile,
        seed: UInt64,
        tell: @escaping @Sendable (EventKind) -> Void
    ) throws -> any RealNetwork {
        guard let url = URL(string: base), let host = url.host else {
            throw CommandFailure(base, "is no address of a server")
        }
        let server = Endpoint(host: host, port: url.port ?? 80)
        return try LinkedServer(server, at: address, over: network, seed: seed, holding: nil, tell: tell)
    }

    func start(_ command: String, waiting: () -> Void) throws -> any PlayerDriver {
        guard let address = DriverAddress(command) else { return try DriverProcess(command) }
        return try DriverSocket(address, waiting: waiting)
    }
}

/// A server of a file's folder, in a process of its own: items are known by their names below the folder, so that the file
/// has the URLs there that it has as the only one of a library.
final class LocalServer {
    /// How long it may take until it listens: it only lists the file.
    private static let patience = Duration.seconds(60)

    /// Where it listens.
    let address: Endpoint
    private let process: LineProcess

    /// Starts it, and waits until it listens.
    ///
    /// - Throws: ``CommandFailure`` where it does not.
    init(file: String, program: String) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        // The page of a player that is a library is of another origin, and may read all of it.
        let arguments = ["serve", folder, "--listen", "127.0.0.1:0", "--allow-origin", "*", "--quiet"]
        process = try LineProcess([program] + arguments)
        guard let line = process.line(within: Self.patience), let scheme = line.range(of: "http://"),
            let address = Endpoint(line[scheme.upperBound...].prefix { $0 != "/" })
        else {
            let words = process.lastWords
            process.end(within: .zero)
            throw CommandFailure(file, "the server for real players does not start\(words.isEmpty ? "" : ": \(words)")")
        }
        self.address = address
    }

    /// Ends it.
    func end() { process.end(within: .zero) }
}

/// A network before a server, which real players reach.
final class LinkedServer: RealNetwork {
    private static let name = "link"

    let base: String
    private let proxy: LinkProxy
    private let own: LocalServer?

    /// Puts a network before a server.
    ///
    /// - Parameters:
    ///   - address: Where players reach the network.
    ///   - seed: The seed of everything random on it.
    ///   - own: The server, where it is to end with the network; nil for one that does not.
    ///   - tell: Takes what happens on the network, from whatever thread.
    /// - Throws: ``ProxyError`` where it cannot listen, or the server's name is unknown.
    init(
        _ server: Endpoint,
        at address: String,
        over network: LinkProfile,
        seed: UInt64,
        holding own: LocalServer?,
        tell: @escaping @Sendable (EventKind) -> Void
    ) throws {
        proxy = try LinkProxy(observer: ProxyObserver(event: tell))
        let route = LinkPlan.Route(listen: Endpoint(host: address, port: 0), server: server)
        let plan = LinkPlan(name: Self.name, network: network, seed: seed, routes: [route])
        do {
            base = "http://\(try proxy.addAndWait(plan)[0])"
        } catch {
            proxy.stopSoon()
            throw error
        }
        self.own = own
    }

    func become(_ network: LinkProfile) throws { try proxy.changeAndWait(Self.name, to: network) }

    func meet(_ faults: [RequestFault]) throws { try proxy.setFaultsAndWait(faults, of: Self.name) }

    func end() {
        proxy.stopSoon()
        own?.end()
    }
}
