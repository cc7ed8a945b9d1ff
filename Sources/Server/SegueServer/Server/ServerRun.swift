import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import SegueBase
import ServiceLifecycle
import UnixSignals

/// A run of a server, from its sockets to its end.
struct ServerRun {
    /// The value of the `Server` field.
    private static let serverName = "segue"

    private let configuration: OriginServer.Configuration
    private let care: ConnectionServices
    private let responder: ServerResponder
    private let secure = CertificateWatch.Mutexed<SecureChannel?>(nil)
    private let connections = ConnectionTasks()
    private let logger = Logger(label: "segue.origin") { _ in SwiftLogNoOpLogHandler() }

    init(
        _ configuration: OriginServer.Configuration,
        work: any RequestWork,
        care: ConnectionServices,
        respond: @escaping OriginServer.Respond
    ) {
        (self.configuration, self.care) = (configuration, care)
        responder = ServerResponder(configuration, work: work, care: care, respond: respond)
    }

    /// Serves until the task is cancelled or a signal arrives.
    ///
    /// - Parameter onReady: Called with the address once requests are accepted.
    /// - Throws: ``OriginServerError`` if the server cannot listen.
    func serve(onReady: @escaping @Sendable (OriginServer.Address) async -> Void) async throws {
        let server = try server(onReady)
        let watches = configuration.certificate.map { [CertificateWatch(certificate: $0, channel: secure)] } ?? []
        configuration.handle?.connect { actions in
            actions.lookAtCertificate = { for watch in watches { watch.checkNow() } }
        }
        var group = ServiceGroupConfiguration(
            // They stop in reverse order.
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
            // A cancelled task is a regular stop.
            result = .success(())
        } catch {
            result = .failure(OriginServerError(error, address: address.description))
        }
        connections.cancel()
        // A process that ends now does not have to close thousands of connections.
        if !configuration.stopsOnSignals { await connections.waitUntilEnded() }
        try result.get()
    }

    private var address: OriginServer.Address {
        OriginServer.Address(host: configuration.host, port: configuration.port)
    }

    private func server(
        _ onReady: @escaping @Sendable (OriginServer.Address) async -> Void
    ) throws -> any Service {
        let makeChannel = try OriginServer.channels(configuration, care: care, secure: secure, tasks: connections)
        guard configuration.inherited.isEmpty else {
            return InheritedServer(
                sockets: configuration.inherited,
                responder: responder,
                makeChannel: makeChannel,
                care: care,
                serverName: Self.serverName,
                logger: logger,
                onRunning: { [address] in await onReady(address) }
            )
        }
        return Application(
            responder: responder,
            server: HTTPServerBuilder(makeChannel),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port),
                serverName: Self.serverName,
                availableConnectionsDelegate: .maximum(care.connectionLimit, logger: logger)
            ),
            onServerRunning: { [care, address] channel in
                try? await care.addAcceptHandlers(of: channel)
                await onReady(
                    OriginServer.Address(host: address.host, port: channel.localAddress?.port ?? address.port)
                )
            },
            logger: logger
        )
    }
}
