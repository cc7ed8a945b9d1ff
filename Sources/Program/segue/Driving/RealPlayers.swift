import Foundation
import SegueData
import SegueEvents
import SegueNetworkModel
import SegueProxy
import SegueSuite

/// Starts the servers, networks, and drivers for real players on this machine.
struct RealPlayers: RealPlaying {
    /// The program, which also serves files.
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
            throw CommandFailure(base, "is not the address of a server")
        }
        let server = Endpoint(host: host, port: url.port ?? 80)
        return try LinkedServer(server, at: address, over: network, seed: seed, holding: nil, tell: tell)
    }

    func start(_ command: String, waiting: () -> Void) throws -> any PlayerDriver {
        guard let address = DriverAddress(command) else { return try DriverProcess(command) }
        return try DriverSocket(address, waiting: waiting)
    }
}

/// A server of a file's folder in a child process.
///
/// Items are identified by their path below the folder, so the file has the same URLs as in a library of its own.
final class LocalServer {
    /// The time limit for its start: it only lists the file.
    private static let patience = Duration.seconds(60)

    let address: Endpoint
    private let process: LineProcess

    /// Starts the server, and waits until it listens.
    ///
    /// - Throws: ``CommandFailure``.
    init(file: String, program: String) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        // The page of a player library has another origin, and needs to read everything.
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

    func end() { process.end(within: .zero) }
}

/// A network in front of a server, for real players.
final class LinkedServer: RealNetwork {
    private static let name = "link"

    let base: String
    private let proxy: LinkProxy
    private let own: LocalServer?

    /// Puts a network in front of a server.
    ///
    /// `address` is the address for players. `own` is the server that ends with the network; nil for another one.
    /// `tell` receives the network's events, on any thread.
    ///
    /// - Throws: ``ProxyError`` if it cannot listen or the server's name cannot be resolved.
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
