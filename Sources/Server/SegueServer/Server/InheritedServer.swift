import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import SegueBase
import ServiceLifecycle

/// A server on inherited listening sockets, in place of Hummingbird's `Application`, whose `BindAddress` accepts none.
struct InheritedServer: Service {
    typealias MakeChannel = @Sendable (@escaping HTTPChannelHandler.Responder) throws -> any ServerChildChannel

    let sockets: [InheritedSockets.Socket]
    let responder: ServerResponder
    let makeChannel: MakeChannel
    let care: ConnectionServices
    let serverName: String
    let logger: Logger
    /// Called once all sockets accept connections.
    let onRunning: @Sendable () async -> Void

    func run() async throws {
        try await serve(try makeChannel(handler))
    }

    private var handler: HTTPChannelHandler.Responder {
        { [responder, logger, serverName] request, writer, channel in
            let context = ServerContext(source: .init(channel: channel, logger: logger))
            var response: Response
            do {
                response = try await responder.respond(to: request, context: context)
            } catch let error as HTTPParserError {
                throw error
            } catch {
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = HTTPDate.text(secondsSince1970: Int64(Date().timeIntervalSince1970))
            response.headers[.server] = serverName
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                // Nothing more can be written to that connection.
                throw BrokenRequest()
            }
        }
    }

    private func serve<Child: ServerChildChannel>(_ child: Child) async throws {
        var listening: [(channel: NIOAsyncChannel<Child.Value, Never>, quiescing: ServerQuiescingHelper)] = []
        for socket in sockets { listening.append(try await listen(on: socket, child)) }
        let all = listening
        await onRunning()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for (channel, _) in all {
                    group.addTask { await accept(from: channel, child) }
                }
            }
        } onGracefulShutdown: {
            for (channel, quiescing) in all {
                quiescing.initiateShutdown(promise: channel.channel.eventLoop.makePromise())
            }
        }
    }

    private func listen<Child: ServerChildChannel>(
        on socket: InheritedSockets.Socket,
        _ child: Child
    ) async throws -> (NIOAsyncChannel<Child.Value, Never>, ServerQuiescingHelper) {
        let quiescing = ServerQuiescingHelper(group: MultiThreadedEventLoopGroup.singleton)
        // Each socket has a fixed share of the connections, so that they need no common count.
        let most = max(1, care.connectionLimit / sockets.count)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { [care] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([
                        care.gate, AcceptPause(),
                        AvailableConnectionsChannelHandler(maxConnections: most),
                        quiescing.makeServerChannelHandler(channel: channel),
                    ])
                }
            }
            .bind(socket.descriptor) { [logger] channel in child.setup(channel: channel, logger: logger) }
        return (channel, quiescing)
    }

    private func accept<Child: ServerChildChannel>(
        from listening: NIOAsyncChannel<Child.Value, Never>,
        _ child: Child
    ) async {
        await withDiscardingTaskGroup { group in
            do {
                try await listening.executeThenClose { connections in
                    for try await connection in connections {
                        group.addTask { [logger] in await child.handle(value: connection, logger: logger) }
                    }
                }
            } catch {
                logger.error("Waiting for connections: \(error)")
            }
        }
    }
}

/// A request turned out to be malformed while its response was being sent; the connection ends.
private struct BrokenRequest: Error {}
