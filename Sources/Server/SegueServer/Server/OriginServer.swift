import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import SegueBase
package import SegueConcurrency
import SegueFFmpeg
package import SegueOrigin
import ServiceLifecycle
import UnixSignals

/// The HTTP server: Hummingbird around something that answers requests.
///
/// It adds nothing to an answer but the `Date` and `Server` fields. The answers are made on threads of its own.
package struct OriginServer: Sendable {
    /// How the server listens and how much it does at once.
    package struct Configuration: Sendable {
        /// The address or host name to listen on; `0.0.0.0` for all of IPv4.
        package var host: String

        /// The port; 0 picks a free one.
        package var port: Int

        /// Sockets that listen already, which are served in place of ``host`` and ``port``; empty for none.
        package var inherited: [InheritedSockets.Socket] = []

        /// How many requests are answered at once, each on a thread of its own.
        package var threads: Int

        /// How many requests may wait for a thread; more are answered with 503.
        ///
        /// One that waits costs hardly more than its connection, and behind one address there may be those who read beside
        /// hundreds who do not.
        package var queueLimit: Int

        /// How many connections may be open, fewer where the system allows few open files; more wait in its queue.
        ///
        /// By default as many as the machine carries.
        package var connectionLimit: Int

        /// How long one request may take to be answered.
        package var timeLimit: Duration

        /// How long a connection stays open without a request, with half a one, or without taking what is sent.
        package var idleTimeLimit: Duration

        /// How long transfers under way may go on when the server is told to stop.
        package var stopTimeLimit: Duration

        /// Whether SIGINT and SIGTERM stop the server gracefully.
        package var stopsOnSignals: Bool

        /// What each client may, and what is told of it.
        package var fairness = Fairness()

        /// The certificate that is shown; nil for a server without TLS.
        package var certificate: ServerCertificate?

        /// Who lets requests in; nil where all are.
        package var door: Door?

        /// How somebody reaches into the server while it runs; nil where nobody does.
        package var handle: ServerHandle?

        /// What counts as long on a thread that answers requests.
        var patience = WorkerPool.Patience()

        /// A configuration with the usual limits.
        package init(
            host: String = "0.0.0.0",
            port: Int = 0,
            threads: Int = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount),
            queueLimit: Int = 4096,
            connectionLimit: Int = MachineLimits.connections,
            timeLimit: Duration = .seconds(600),
            idleTimeLimit: Duration = .seconds(60),
            stopTimeLimit: Duration = .seconds(1),
            stopsOnSignals: Bool = false
        ) {
            self.host = host
            self.port = port
            self.threads = threads
            self.queueLimit = queueLimit
            self.connectionLimit = connectionLimit
            self.timeLimit = timeLimit
            self.idleTimeLimit = idleTimeLimit
            self.stopTimeLimit = stopTimeLimit
            self.stopsOnSignals = stopsOnSignals
        }
    }

    /// Where a server listens.
    package struct Address: Sendable, Hashable, CustomStringConvertible {
        /// The host as configured.
        package var host: String

        /// The port, as the system gave it.
        package var port: Int

        /// An address.
        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// `HOST:PORT`, an IPv6 host in brackets.
        package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// What it calls itself in answers.
    private static let serverName = "segue"

    /// Answers one request; may block, and hurries up when it is cancelled.
    package typealias Respond = @Sendable (OriginRequest, Cancellation) -> OriginResponse

    /// Serves a library until the task is cancelled or, where so configured, a signal comes.
    ///
    /// In the background every file is looked into, once; when somebody looks at the list, new files are looked for.
    /// The library is closed at the end.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and the limits.
    ///   - responder: What answers.
    ///   - onReady: Called once requests are accepted.
    /// - Throws: ``OriginServerError`` when it cannot listen.
    package static func run(
        _ configuration: Configuration,
        responder: Responder,
        onReady: @escaping @Sendable (Address) async -> Void
    ) async throws {
        let keeper = LibraryKeeper(responder.learner)
        configuration.handle?.connect { $0.look = { keeper.lookNow() } }
        defer {
            configuration.handle?.disconnect()
            keeper.stop()
            responder.close()
        }
        let respond: Respond = { request, cancellation in
            if LibraryKeeper.isListing(request) { keeper.lookAgain() }
            return responder.respond(to: request, cancellation: cancellation)
        }
        let work = ThreadedWork(configuration, isHelped: { responder.isMakingAhead }, respond)
        let memory = MemoryKeeper {
            responder.shrink()
            Allocator.trim()
        }
        let shortage = MemoryShortage(spare: Allocator.spare) {
            Allocator.endSparing()
            responder.endShortage()
        }
        responder.whenShort { shortage.note() }
        let change: @Sendable (LiveSettings) -> Void = { responder.change(hosts: $0.hosts, origins: $0.origins) }
        try await run(configuration, work, memory, change, respond) { address in
            keeper.start(work)
            await onReady(address)
        }
    }

    /// Serves what a function answers until the task is cancelled or, where so configured, a signal comes.
    ///
    /// - Parameters:
    ///   - configuration: Where to listen, and the limits.
    ///   - respond: What answers.
    ///   - onReady: Called once requests are accepted.
    /// - Throws: ``OriginServerError`` when it cannot listen.
    package static func run(
        _ configuration: Configuration,
        respond: @escaping Respond,
        onReady: @escaping @Sendable (Address) async -> Void
    ) async throws {
        let work = ThreadedWork(configuration, isHelped: { false }, respond)
        try await run(configuration, work, MemoryKeeper(Allocator.trim), { _ in }, respond, onReady)
    }

    private static func run(
        _ configuration: Configuration,
        _ work: any RequestWork,
        _ memory: MemoryKeeper,
        _ change: @escaping @Sendable (LiveSettings) -> Void,
        _ respond: @escaping Respond,
        _ onReady: @escaping @Sendable (Address) async -> Void
    ) async throws {
        defer { work.stop() }
        let address = Address(host: configuration.host, port: configuration.port)
        guard (0...65535).contains(configuration.port) else {
            throw OriginServerError(.noSuchAddress, address, "there is no such port; ports are 0 to 65535")
        }
        let care = ConnectionCare(configuration, memory: memory)
        configuration.handle?.connect { actions in
            actions.change = { settings in
                care.change(settings)
                work.allow(encodings: settings.allowance.encodings)
                configuration.door?.change(settings.origins)
                change(settings)
            }
        }
        let secure = CertificateWatch.Mutexed<SecureChannel?>(nil)
        let connections = ConnectionTasks()
        let logger = Logger(label: "segue.origin") { _ in SwiftLogNoOpLogHandler() }
        let responder = ServerResponder(configuration, work, care, respond)
        let makeChannel = try channels(configuration, care, secure, connections)
        let application = Application(
            responder: responder,
            server: HTTPServerBuilder(makeChannel),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: serverName,
                availableConnectionsDelegate: .maximum(care.connectionLimit, logger: logger)
            ),
            onServerRunning: { channel in
                try? await care.guardDoor(of: channel)
                await onReady(
                    Address(host: configuration.host, port: channel.localAddress?.port ?? configuration.port)
                )
            },
            logger: logger
        )
        let inherited = InheritedServer(
            sockets: configuration.inherited,
            responder: responder,
            makeChannel: makeChannel,
            care: care,
            serverName: serverName,
            logger: logger,
            onRunning: { await onReady(address) }
        )
        let server: any Service = configuration.inherited.isEmpty ? application : inherited
        let watches = configuration.certificate.map { [CertificateWatch(certificate: $0, channel: secure)] } ?? []
        configuration.handle?.connect { actions in
            actions.lookAtCertificate = { for watch in watches { watch.lookNow() } }
        }
        var group = ServiceGroupConfiguration(
            // They stop in the opposite order.
            services: [connections, server] + watches as [any Service],
            gracefulShutdownSignals: configuration.stopsOnSignals ? [.sigint, .sigterm] : [],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = configuration.stopTimeLimit
        let result: Result<Void, any Error>
        do {
            try await ServiceGroup(configuration: group).run()
            result = .success(())
        } catch is CancellationError {
            // This is how it is told to stop.
            result = .success(())
        } catch {
            result = .failure(OriginServerError(error, address: address.description))
        }
        connections.cancel()
        // A process that ends now needs nobody to take thousands of connections apart.
        if !configuration.stopsOnSignals { await connections.waitUntilEnded() }
        try result.get()
    }
}
