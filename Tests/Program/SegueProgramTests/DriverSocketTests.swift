import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import SegueTestSupport
import Synchronization
import Testing

@testable import segue

@Suite struct `Driver that listens for a WebSocket` {
    private static let hello = "{\"driver\":1,\"player\":\"box 1\",\"clock\":0,\"can\":[\"open\"]}"

    @Test(arguments: [
        ("ws://box", "box", 80, "/", "box-80"), ("WS://[::1]:7000/a%20b?c=d", "::1", 7000, "/a%20b?c=d", "--1-7000"),
    ])
    func `has an address`(text: String, host: String, port: Int, path: String, name: String) throws {
        let address = try #require(DriverAddress(text))
        #expect((address.host, address.port, address.path, address.name) == (host, port, path, name))
    }

    @Test(arguments: ["wss://box", "ws://", "ws://box:0", "ws://box:65536", "ws://me@box/", "ws://box/#a", "box:80"])
    func `has no other address`(text: String) { #expect(DriverAddress(text) == nil) }

    @Test func `is connected from its first message until it quits`() throws {
        let app = try App { channel in
            channel.send(Self.hello)
            channel.send("{\"t\":1,\"kind\":\"a\"}\n{\"t\":2,\"kind\":\"b\"}")
            channel.send(Data("ping".utf8), as: .ping)
        } said: { text, channel in
            channel.send("{\"id\":\(text.count)}")
            if text.contains("quit") { channel.close(promise: nil) }
        }
        defer { app.end() }
        let socket = try DriverSocket(app.address) {}
        let heard = Heard()
        socket.listen(heard.take)
        socket.send(Data("{\"do\":\"play\",\"id\":1}\n".utf8))
        heard.wait(for: 4)
        socket.end()
        heard.wait(for: nil)
        #expect(
            Array(heard.lines.prefix(4)) == [
                Self.hello, "{\"t\":1,\"kind\":\"a\"}", "{\"t\":2,\"kind\":\"b\"}", "{\"id\":20}",
            ]
        )
        #expect(heard.ending == "it closed the connection")
        // A ping is answered immediately, even during other messages.
        #expect(app.heard.filter { $0 != "pong ping" } == ["{\"do\":\"play\",\"id\":1}", "{\"do\":\"quit\",\"id\":0}"])
        #expect(app.heard.contains("pong ping"))
    }

    @Test func `plays for one case at a time`() throws {
        let app = try App {
            $0.send(Self.hello)
        } said: { _, channel in
            channel.close(promise: nil)
        }
        defer { app.end() }
        let first = try DriverSocket(app.address) {}
        let waits = DispatchSemaphore(value: 0)
        let second = Mutex<DriverSocket?>(nil)
        let came = DispatchSemaphore(value: 0)
        Thread {
            let socket = try? DriverSocket(app.address) { waits.signal() }
            second.withLock { $0 = socket }
            came.signal()
        }.start()
        waits.wait()
        #expect(app.greeted == 1)
        first.end()
        came.wait()
        #expect(app.greeted == 2)
        second.withLock { $0?.end() }
    }

    @Test func `is refused if it is unreachable, no WebSocket, or silent`() throws {
        func refusal(_ address: DriverAddress, _ patience: TimeAmount) -> String {
            do {
                _ = try DriverSocket(address, patience: patience) {}
                return "none"
            } catch { return "\(error)" }
        }
        let app = try App(greets: false) { _ in
        } said: { _, _ in
        }
        #expect(
            refusal(app.address, .seconds(30)).hasSuffix(
                "cannot connect to the player: the server does not support WebSocket"
            )
        )
        app.end()
        let unheard = try UnheardPort()
        defer { withExtendedLifetime(unheard) {} }
        let nobody = try #require(DriverAddress("ws://127.0.0.1:\(unheard.port)"))
        #expect(refusal(nobody, .seconds(30)).hasSuffix("cannot connect to the player: Connection refused"))
        let silent = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: "127.0.0.1", port: 0)
            .wait()
        let address = try #require(DriverAddress("ws://127.0.0.1:\(silent.localAddress?.port ?? 0)"))
        #expect(refusal(address, .milliseconds(50)).hasSuffix("the handshake failed or timed out"))
        try silent.close().wait()
    }
}

/// The result of listening.
private final class Heard: Sendable {
    private let state = Mutex<(lines: [String], ending: String?)>(([], nil))
    private let more = DispatchSemaphore(value: 0)

    var lines: [String] { state.withLock { $0.lines } }
    var ending: String? { state.withLock { $0.ending } }

    var take: @Sendable (Data?, String) -> Void {
        { [self] line, reason in
            state.withLock {
                if let line { $0.lines.append(String(decoding: line, as: UTF8.self)) } else { $0.ending = reason }
            }
            more.signal()
        }
    }

    /// Waits for a number of lines; nil at the end.
    func wait(for count: Int?) {
        while count.map({ lines.count < $0 }) ?? (ending == nil) { more.wait() }
    }
}

/// An app that listens for connections.
private final class App: Sendable {
    private let listener: any Channel
    private let state = Mutex<(heard: [String], greeted: Int)>(([], 0))
    let address: DriverAddress

    init(
        greets: Bool = true,
        met: @escaping @Sendable (any Channel) -> Void,
        said: @escaping @Sendable (String, any Channel) -> Void
    ) throws {
        let holder = Mutex<App?>(nil)
        let upgrader = NIOWebSocketServerUpgrader(
            // The client may have the response before the pipeline's handler runs.
            shouldUpgrade: { channel, _ in
                if greets { holder.withLock { $0 }?.state.withLock { $0.greeted += 1 } }
                return channel.eventLoop.makeSucceededFuture(greets ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    let app = holder.withLock { $0 }
                    try channel.pipeline.syncOperations.addHandler(
                        AppFrames { text in
                            app?.state.withLock { $0.heard.append(text) }
                            if !text.hasPrefix("pong") { said(text, channel) }
                        }
                    )
                    met(channel)
                }
            }
        )
        listener = try ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(
                        withServerUpgrade: (
                            upgraders: [upgrader],
                            completionHandler: { $0.pipeline.removeHandler(name: NoAnswer.name, promise: nil) }
                        )
                    )
                    try pipeline.addHandler(NoAnswer(), name: NoAnswer.name)
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        address = try #require(DriverAddress("ws://127.0.0.1:\(listener.localAddress?.port ?? 0)/"))
        holder.withLock { $0 = self }
    }

    var heard: [String] { state.withLock { $0.heard } }
    var greeted: Int { state.withLock { $0.greeted } }

    func end() { try? listener.close().wait() }
}

/// Declines every WebSocket upgrade.
private final class NoAnswer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    static let name = "no answer"

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        context.write(
            wrapOutboundOut(.head(.init(version: .http1_1, status: .notFound, headers: ["content-length": "0"]))),
            promise: nil
        )
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}

private final class AppFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let said: (String) -> Void

    init(_ said: @escaping (String) -> Void) { self.said = said }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let text = String(buffer: frame.unmaskedData)
        // Frames from a client are masked (RFC 6455, section 5.1).
        guard frame.maskKey != nil else { return said("unmasked") }
        if frame.opcode == .text { said(text) }
        if frame.opcode == .pong { said("pong " + text) }
    }
}

extension Channel {
    fileprivate func send(_ text: String) { send(Data(text.utf8), as: .text) }

    fileprivate func send(_ data: Data, as opcode: WebSocketOpcode) {
        writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: ByteBuffer(bytes: data)), promise: nil)
    }
}
