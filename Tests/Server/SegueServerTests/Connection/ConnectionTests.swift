import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOPosix
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SegueOriginTestSupport
import Testing

@testable import SegueServer

@Suite struct `Clients and their connections` {
    @Test func `a connection serves one request after another`() async throws {
        try await withServer({ request, _ in
            OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes(Array(request.target.utf8)))
        }) { address in
            let answer = try await address.exchange("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.hasPrefix("/1HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n/2"))
        }
    }

    @Test func `a client that stops in the middle of a request is disconnected`() async throws {
        try await withServer(
            idleTimeLimit: .seconds(1),
            { _, _ in
                OriginResponse(status: 200, headers: [.contentLength: "0"], body: .empty)
            }
        ) { address in
            let client = try await address.connection(sending: "GET / HTTP/1.1\r\nHost:")
            try await client.waitForClose()
        }
    }

    @Test func `a client that does not receive is disconnected`() async throws {
        let isGone = Gate()
        try await withServer(
            idleTimeLimit: .seconds(1),
            { request, _ in
                _ = request.client?.whenCancelled { isGone.open() }
                let size = 32 << 20
                return OriginResponse(
                    status: 200,
                    headers: [.contentLength: "\(size)"],
                    body: .bytes([UInt8](repeating: 1, count: size))
                )
            }
        ) { address in
            let client = try await address.connection(sending: "GET /work HTTP/1.1\r\nHost: x\r\n\r\n", isRead: false)
            try await blocking { isGone.wait() }.value
            try? await client.close()
        }
    }

    @Test func `a closed connection leaves no timer behind`() async throws {
        let answers = UntakenAnswers()
        let server = try await answers.listen()
        let port = try #require(server.localAddress?.port)
        let client = try await OriginServer.Address(host: "127.0.0.1", port: port)
            .connection(sending: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", readBy: UntilSomethingComes())
        try await client.waitForClose()
        try await blocking { answers.isForgotten.wait() }.value
        try await server.close()
    }

    @Test func `the system buffers few unsent bytes`() async throws {
        let answers = UntakenAnswers()
        let server = try await answers.listen()
        let port = try #require(server.localAddress?.port)
        let client = try await OriginServer.Address(host: "127.0.0.1", port: port)
            .connection(sending: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", isRead: false)
        let limit = try await blocking { answers.unsentLimit.wait { $0 } }.value
        #expect(limit == 128 << 10)
        try await client.close()
        try await server.close()
    }

    @Test func `a disconnecting client cancels its request`() async throws {
        let (isWorking, mayEnd) = (Gate(), Gate())
        let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
        try await withServer({ _, cancellation in
            _ = cancellation.whenCancelled {
                cancelled.yield()
                mayEnd.open()
            }
            isWorking.open()
            mayEnd.wait()
            return OriginFailure.cancelled.response
        }) { address in
            // The server's thread is released in any case.
            defer { mayEnd.open() }
            let client = try await address.connection(sending: "GET /work HTTP/1.1\r\nHost: x\r\n\r\n")
            try await blocking { isWorking.wait() }.value
            try await client.close()
            var iterator = cancellations.makeAsyncIterator()
            #expect(await iterator.next() != nil)
        }
    }

    @Test func `a half-closed connection gets interim responses and its response`()
        async throws
    {
        let mayFinish = Gate()
        try await withServer({ _, cancellation in
            _ = cancellation.whenCancelled { mayFinish.open() }
            mayFinish.wait()
            return OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes([65, 66]))
        }) { address in
            defer { mayFinish.open() }
            let text = try await address.halfClosedExchange("GET /work HTTP/1.1\r\nHost: x\r\n\r\n") { text in
                if text.hasSuffix("\r\n\r\n") { mayFinish.open() }
            }
            #expect(text.hasPrefix("HTTP/1.1 102 Processing\r\n"))
            #expect(text.contains("\r\n\r\nHTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nAB"))
        }
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func `a response to HTTP 1.0 ends with the connection`(field: String) async throws {
        try await withServer({ request, _ in
            if request.target == "/endless" {
                let body = EndlessBody { TwoPieces() }
                return OriginResponse(status: 200, headers: [:], body: .endless(body))
            }
            return OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes([65, 66]))
        }) { address in
            for (target, body) in [("/", "AB"), ("/endless", "onetwo")] {
                let text = try await address.wholeExchange("GET \(target) HTTP/1.0\r\n\(field)\r\n")
                #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n") && text.hasSuffix("\r\n\r\n\(body)"))
                #expect(text.contains("\r\nConnection: close\r\n"))
                #expect(!text.lowercased().contains("transfer-encoding"))
            }
        }
    }

    @Test func `a request that names several hosts is rejected`() async throws {
        try await withServer({ _, _ in
            OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes([65, 66]))
        }) { address in
            for (second, status) in [("Host: b\r\n", 400), ("hOST: b\r\n", 400), ("", 200)] {
                let head = "GET / HTTP/1.1\r\nHost: a\r\n\(second)Connection: close\r\n\r\n"
                let text = try await address.wholeExchange(head)
                #expect(text.hasPrefix("HTTP/1.1 \(status) "))
            }
        }
    }

    @Test func `a close in any spelling closes the connection`() async throws {
        try await withServer({ _, _ in
            OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes([65, 66]))
        }) { address in
            let text = try await address.wholeExchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: x, Close\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nAB"))
        }
    }
}

/// The server's side of connections whose monitors have a limit of one hour; it sends more than a connection buffers.
private struct UntakenAnswers {
    /// Opens when nothing refers to a connection's monitor any more.
    let isForgotten = Gate()
    /// The socket option of the last connection.
    let unsentLimit = Monitor<Int?>(nil)

    func listen() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [isForgotten, unsentLimit] channel in
                channel.eventLoop.makeCompletedFuture {
                    let token = Token(isForgotten)
                    // Only the monitor refers to the trimmer, and only the trimmer to the token.
                    let memory = MemoryTrimmer { withExtendedLifetime(token) {} }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false)
                    try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
                    try pipeline.addHandler(ConnectionMonitor(patience: .seconds(3600), memory: memory))
                    try pipeline.addHandler(LargeAnswer())
                    let limit = try channel.syncOptions?.getOption(ConnectionMonitor.unsentLimit)
                    unsentLimit.withLock { $0 = limit }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private final class Token: Sendable {
        private let isForgotten: Gate

        init(_ isForgotten: Gate) { self.isForgotten = isForgotten }

        deinit { isForgotten.open() }
    }
}

/// Closes a connection when it receives data.
private final class UntilSomethingComes: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.close(promise: nil) }
}

/// Sends a body larger than all buffers between a server and a client.
private final class LargeAnswer: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head = unwrapInboundIn(data) else { return }
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .ok))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.body(ByteBuffer(repeating: 1, count: 64 << 20))), promise: nil)
    }
}

/// A body of two pieces without a known length.
private struct TwoPieces: EndlessReading {
    private var left = ["two", "one"]

    mutating func next() async -> [UInt8]? { left.popLast().map { Array($0.utf8) } }

    func close() {}
}
