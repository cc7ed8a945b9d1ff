import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import SegueSuite

/// A driver that listens for a WebSocket: an app, on this machine or another.
final class DriverSocket: PlayerDriver, Sendable {
    /// How long it has to leave by itself.
    private static let leaving = DispatchTimeInterval.seconds(5)
    private static let quit = Data("{\"do\":\"quit\",\"id\":0}\n".utf8)

    private let turn: PlayerTurn
    private let channel: any Channel
    private let lines: SocketLines

    /// Connects; a player plays for one case at a time, so the case before it is waited for.
    ///
    /// - Parameters:
    ///   - patience: How long connecting may take, and greeting.
    ///   - waiting: Called now and then while another case is played there.
    /// - Throws: ``CommandFailure`` where nobody listens, or it is no WebSocket.
    init(_ address: DriverAddress, patience: TimeAmount = .seconds(10), waiting: () -> Void) throws {
        turn = try PlayerTurn(address, waiting: waiting)
        let lines = SocketLines()
        self.lines = lines
        do {
            channel = try Self.connect(address, lines, patience)
        } catch {
            turn.end()
            throw CommandFailure("\(address)", "the player cannot be reached: \(Self.words(error))")
        }
    }

    func listen(_ take: @escaping @Sendable (Data?, String) -> Void) { lines.listen(take) }

    func send(_ line: Data) {
        // A message is a line, and needs no end. One that nobody reads any more is lost.
        let text = line.last == 0x0A ? line.dropLast() : line
        let frame = WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: text))
        channel.writeAndFlush(frame, promise: nil)
    }

    func end() {
        defer { turn.end() }
        send(Self.quit)
        if lines.wait(for: Self.leaving) { return }
        let isClosed = DispatchSemaphore(value: 0)
        channel.close().whenComplete { _ in isClosed.signal() }
        _ = isClosed.wait(timeout: .now() + Self.leaving)
    }

    private static func connect(
        _ address: DriverAddress,
        _ lines: SocketLines,
        _ patience: TimeAmount
    ) throws -> any Channel {
        try ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(patience)
            .connect(host: address.host, port: address.port)
            .flatMap { channel in
                // Whoever takes the connection and says nothing is not waited for.
                let late = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                return channel.eventLoop.makeCompletedFuture { try greeting(address, channel, lines) }
                    .flatMap { $0 }
                    .always { _ in late.cancel() }
            }
            .wait()
    }

    /// Has a new connection become a WebSocket (RFC 6455, section 4.1).
    private static func greeting(
        _ address: DriverAddress,
        _ channel: any Channel,
        _ lines: SocketLines
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
        // What a driver says first may come with its greeting.
        configuration.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case is NotGreeted: "who listens there speaks no WebSocket"
        case ChannelError.connectTimeout: "nobody answers"
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { words($0.error) } ?? "no address is known for the host"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        default: "it closed the connection, or did not greet in time"
        }
    }

    /// An answer that is no greeting.
    private struct NotGreeted: Error {}
}

/// Hands on the messages of a WebSocket.
private final class DriverFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let lines: SocketLines

    init(_ lines: SocketLines) { self.lines = lines }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary: lines.take(Data(frame.unmaskedData.readableBytesView))
        case .ping: answer(.pong, frame, context)
        case .connectionClose:
            // It is closed by both (section 5.5.1).
            answer(.connectionClose, frame, context)
            context.close(promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        lines.end("it has closed the connection")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        lines.end("the connection has broken: \(error)")
        context.close(promise: nil)
    }

    private func answer(_ opcode: WebSocketOpcode, _ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        let back = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: frame.unmaskedData)
        context.writeAndFlush(wrapOutboundOut(back), promise: nil)
    }
}
