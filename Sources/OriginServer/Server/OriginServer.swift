import Foundation
import Hummingbird
import HummingbirdCore
import Logging
package import Media
import NIOCore
import NIOHTTPTypes
package import Origin
import ServiceLifecycle
import Timeline
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

        /// How many requests are answered at once, each on a thread of its own.
        package var threads: Int

        /// How many requests may wait for a thread; more are answered with 503.
        ///
        /// By default as many as there are connections: one that waits costs hardly more than its connection, and behind
        /// one address there may be those who read beside hundreds who do not.
        package var queueLimit: Int

        /// How many connections may be open, fewer where the system allows few open files; more wait in its queue.
        package var connectionLimit: Int

        /// How long one request may take to be answered.
        package var timeLimit: Duration

        /// How long a connection stays open without a request, with half a one, or without taking what is sent.
        package var idleTimeLimit: Duration

        /// How long transfers under way may go on when the server is told to stop.
        package var stopTimeLimit: Duration

        /// Whether SIGINT and SIGTERM stop the server gracefully.
        package var stopsOnSignals: Bool

        /// What counts as long on a thread that answers requests.
        var patience = WorkerPool.Patience()

        /// A configuration with the usual limits.
        package init(
            host: String = "0.0.0.0",
            port: Int = 0,
            threads: Int = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount),
            queueLimit: Int = 1024,
            connectionLimit: Int = 1024,
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
        defer {
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
        try await run(configuration, work, memory, respond) { address in
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
        try await run(configuration, work, MemoryKeeper(Allocator.trim), respond, onReady)
    }

    private static func run(
        _ configuration: Configuration,
        _ work: any RequestWork,
        _ memory: MemoryKeeper,
        _ respond: @escaping Respond,
        _ onReady: @escaping @Sendable (Address) async -> Void
    ) async throws {
        defer { work.stop() }
        let address = Address(host: configuration.host, port: configuration.port)
        guard (0...65535).contains(configuration.port) else {
            throw OriginServerError(.noSuchAddress, address, "there is no such port; ports are 0 to 65535")
        }
        let connectionLimit = DescriptorLimit.connections(
            configuration.connectionLimit,
            within: DescriptorLimit.raise()
        )
        let logger = Logger(label: "segue.origin") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: ServerResponder(configuration, work, respond),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        UnreadableRequests(),
                        ConnectionWatch(patience: configuration.idleTimeLimit, memory: memory),
                    ],
                    idleTimeout: .nanoseconds(configuration.idleTimeLimit.wholeNanoseconds)
                )
            ),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: "segue",
                availableConnectionsDelegate: .maximum(connectionLimit, logger: logger)
            ),
            onServerRunning: { channel in
                try? await channel.pipeline.addHandler(AcceptPause(), position: .first).get()
                await onReady(
                    Address(host: configuration.host, port: channel.localAddress?.port ?? configuration.port)
                )
            },
            logger: logger
        )
        var group = ServiceGroupConfiguration(
            services: [application],
            gracefulShutdownSignals: configuration.stopsOnSignals ? [.sigint, .sigterm] : [],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = configuration.stopTimeLimit
        do {
            try await ServiceGroup(configuration: group).run()
        } catch is CancellationError {
            // This is how it is told to stop.
        } catch {
            throw OriginServerError(error, address: address.description)
        }
    }
}
