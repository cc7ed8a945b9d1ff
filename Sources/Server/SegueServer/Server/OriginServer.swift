import Foundation
import SegueBase
package import SegueConcurrency
import SegueFFmpeg
package import SegueOrigin

/// The HTTP server, built on Hummingbird.
///
/// It adds the `Date` and `Server` fields to responses, which threads of its own produce.
package struct OriginServer: Sendable {
    /// The address and the limits of a server.
    // Size: a flat record, a property for each option of a server.
    package struct Configuration: Sendable {
        /// The address or host name to listen on; `0.0.0.0` for all IPv4 addresses.
        package var host: String

        /// The port; 0 for a free one.
        package var port: Int

        /// Listening sockets that replace ``host`` and ``port``; empty for none.
        package var inherited: [InheritedSockets.Socket] = []

        /// The number of worker threads.
        package var threads = max(4, 2 * ProcessInfo.processInfo.activeProcessorCount)

        /// The maximum number of queued requests; more get a 503.
        ///
        /// A queued request costs little more than its connection, and a few clients that read may share an address
        /// with hundreds that do not.
        package var queueLimit = 4096

        /// The maximum number of open connections, fewer if the system allows few open files; more wait in the system's
        /// queue.
        ///
        /// The default is the capacity of the machine.
        package var connectionLimit = MachineLimits.connections

        /// The time limit of a request.
        package var timeLimit: Duration = .seconds(600)

        /// The time a connection stays open without a request, with an incomplete one, or with a client that does not
        /// receive.
        package var idleTimeLimit: Duration = .seconds(60)

        /// The time limit of transfers in progress when the server stops.
        package var stopTimeLimit: Duration = .seconds(1)

        /// True if SIGINT and SIGTERM stop the server gracefully.
        package var stopsOnSignals = false

        /// The limits of clients, and the access log.
        package var fairness = Fairness()

        /// The certificate; nil for a server without TLS.
        package var certificate: ServerCertificate?

        /// The gate that grants access; nil to admit all requests.
        package var door: AccessGate?

        /// The handle to change the running server; nil for none.
        package var handle: ServerHandle?

        /// The translations of error sentences.
        package var words = ErrorWords.none

        /// The time limits of worker threads.
        var patience = WorkerPool.Patience()

        package init(host: String = "0.0.0.0", port: Int = 0) { (self.host, self.port) = (host, port) }
    }

    /// The address on which a server listens.
    package struct Address: Sendable, Hashable, CustomStringConvertible {
        /// The configured host.
        package var host: String

        /// The port, as assigned by the system.
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }

        /// `HOST:PORT`, with brackets around an IPv6 host.
        package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// Responds to a request; may block, and returns early when it is cancelled.
    package typealias Respond = @Sendable (OriginRequest, Cancellation) -> OriginResponse

    /// Serves a library until the task is cancelled or a signal arrives.
    ///
    /// Every file is scanned once in the background. Requests for lists, and for items whose files are missing, trigger
    /// scans for new files. The library is closed at the end.
    ///
    /// - Parameters:
    ///   - configuration: The address and the limits.
    ///   - onReady: Called once requests are accepted.
    /// - Throws: ``OriginServerError`` if the server cannot listen.
    package static func run(
        _ configuration: Configuration,
        responder: Responder,
        onReady: @escaping @Sendable (Address) async -> Void
    ) async throws {
        let keeper = LibraryScanner(responder.learner)
        configuration.handle?.connect { $0.look = { keeper.scanNow() } }
        defer {
            configuration.handle?.disconnect()
            keeper.stop()
            responder.close()
        }
        let respond: Respond = { request, cancellation in
            if request.listsItems { keeper.requestScan() }
            let response = responder.respond(to: request, cancellation: cancellation)
            // The missing file of an item may have been renamed.
            if response.status == 404, request.namesItem { keeper.requestScan() }
            return response
        }
        let work = ThreadedWork(configuration, isHelped: { responder.isPrefetching }, respond)
        let memory = MemoryTrimmer {
            responder.shrink()
            Allocator.trim()
        }
        let shortage = MemoryShortage(spare: Allocator.spare) {
            Allocator.endSparing()
            responder.endShortage()
        }
        responder.whenShort { shortage.note() }
        let change: @Sendable (LiveSettings) -> Void = { responder.change(hosts: $0.hosts, origins: $0.origins) }
        try await run(configuration, work: work, memory: memory, change: change, respond: respond) { address in
            keeper.start(work)
            await onReady(address)
        }
    }

    /// Serves the responses of a function until the task is cancelled or a signal arrives.
    ///
    /// - Parameters:
    ///   - configuration: The address and the limits.
    ///   - onReady: Called once requests are accepted.
    /// - Throws: ``OriginServerError`` if the server cannot listen.
    package static func run(
        _ configuration: Configuration,
        respond: @escaping Respond,
        onReady: @escaping @Sendable (Address) async -> Void
    ) async throws {
        let work = ThreadedWork(configuration, isHelped: { false }, respond)
        try await run(
            configuration,
            work: work,
            memory: MemoryTrimmer(Allocator.trim),
            change: { _ in },
            respond: respond,
            onReady: onReady
        )
    }

    private static func run(
        _ configuration: Configuration,
        work: any RequestWork,
        memory: MemoryTrimmer,
        change: @escaping @Sendable (LiveSettings) -> Void,
        respond: @escaping Respond,
        onReady: @escaping @Sendable (Address) async -> Void
    ) async throws {
        defer { work.stop() }
        let address = Address(host: configuration.host, port: configuration.port)
        guard (0...65535).contains(configuration.port) else {
            throw OriginServerError(.noSuchAddress, at: address, "the port is out of range; expected 0 to 65535")
        }
        let care = ConnectionServices(configuration, memory: memory)
        configuration.handle?.connect { actions in
            actions.change = { settings in
                care.change(settings)
                work.allow(encodings: settings.allowance.encodings)
                configuration.door?.change(settings.origins)
                change(settings)
            }
        }
        try await ServerRun(configuration, work: work, care: care, respond: respond).serve(onReady: onReady)
    }
}
