import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import SegueSuite

/// A driver that listens for a WebSocket: an app on this or another machine.
final class DriverSocket: PlayerDriver, Sendable {
    /// The time that it has to close the connection after `quit`.
    private static let leaving = DispatchTimeInterval.seconds(5)

    private let turn: PlayerLock
    private let channel: any Channel
    private let lines: SocketLines

    /// Connects, after waiting until the player is free.
    ///
    /// `patience` is the timeout for the connection and its handshake. `waiting` is called repeatedly while another
    /// case uses the player.
    ///
    /// - Throws: ``CommandFailure`` if the connection or the handshake fails.
    init(_ address: DriverAddress, patience: TimeAmount = .seconds(10), waiting: () -> Void) throws {
        turn = try PlayerLock(address, waiting: waiting)
        let lines = SocketLines()
        self.lines = lines
        do {
            channel = try Self.connect(address, lines: lines, patience: patience)
        } catch {
            turn.end()
            throw CommandFailure("\(address)", "cannot connect to the player: \(Self.words(error))")
        }
    }

    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) { lines.listen(take) }

    func send(_ line: Data) {
        // A message is a line without a line feed. Messages after the end are lost.
        let text = line.last == 0x0A ? line.dropLast() : line
        let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: text))
        channel.writeAndFlush(frame, promise: nil)
    }

    func end() {
        defer { turn.end() }
        send(Self.quitLine)
        if lines.wait(for: Self.leaving) { return }
        let isClosed = DispatchSemaphore(value: 0)
        channel.close().whenComplete { _ in isClosed.signal() }
        _ = isClosed.wait(timeout: .now() + Self.leaving)
    }

    private static func connect(
        _ address: DriverAddress,
        lines: SocketLines,
        patience: TimeAmount
    ) throws -> any Channel {
        try ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(patience)
            .connect(host: address.host, port: address.port)
            .flatMap { channel in
                // A peer that accepts the connection but stays silent must not block.
                let late = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture { try greeting(address, over: channel, lines: lines) }
                    .flatMap { $0 }
                    .always { _ in late.cancel() }
            }
            .wait()
    }

    /// Upgrades a new connection to a WebSocket (RFC 6455, section 4.1).
    private static func greeting(
        _ address: DriverAddress,
        over channel: any Channel,
        lines: SocketLines
    ) throws -> EventLoopFuture<any Channel> {
        let upgrader = NIOTypedWebSocketClientUpgrader<any Channel>(maxFrameSize: SocketLines.longest) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                let frames = NIOWebSocketFrameAggregator(
                    minNonFinalFragmentSize: 0,
                    maxAccumulatedFrameCount: 1024,
                    maxAccumulatedFrameSize: SocketLines.longest
                )
                try channel.pipeline.syncOperations.addHandlers([frames, DriverFrames(lines)])
                return channel
            }
        }
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .GET,
            uri: address.path,
            headers: ["Host": address.authority]
        )
        let upgrade = NIOTypedHTTPClientUpgradeConfiguration(upgradeRequestHead: head, upgraders: [upgrader]) {
            channel in
            channel.close().flatMap { channel.eventLoop.makeFailedFuture(NotGreeted()) }
        }
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: upgrade)
        // The driver's first message may arrive with the handshake.
        configuration.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case is NotGreeted: "the server does not support WebSocket"
        case ChannelError.connectTimeout: "the connection timed out"
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { words($0.error) } ?? "the host name cannot be resolved"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        default: "the handshake failed or timed out"
        }
    }

    /// A response that is not a WebSocket handshake.
    private struct NotGreeted: Error {}
}

/// Passes on the messages of a WebSocket.
private final class DriverFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let lines: SocketLines

    init(_ lines: SocketLines) { self.lines = lines }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary: lines.take(Data(frame.unmaskedData.readableBytesView))
        case .ping: answer(.pong, to: frame, in: context)
        case .connectionClose:
            // Both sides close (section 5.5.1).
            answer(.connectionClose, to: frame, in: context)
            context.close(promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        lines.end("it closed the connection")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        lines.end("the connection failed: \(error)")
        context.close(promise: nil)
    }

    private func answer(_ opcode: WebSocketOpcode, to frame: WebSocketFrame, in context: ChannelHandlerContext) {
        let back = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: frame.unmaskedData)
        context.writeAndFlush(wrapOutboundOut(back), promise: nil)
    }
}
