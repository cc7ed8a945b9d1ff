import Foundation
import Media
import NIOCore
import NIOPosix
import Origin
import OriginTestSupport
import TestSupport
import Testing

@testable import OriginServer

@Suite(.timeLimit(.minutes(1))) struct `Origin server` {
    @Test func `answers over a socket with the responder's bytes`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await withServer({ request, _ in
            #expect(request.target == "/items/a/b%20c?x=%31")
            #expect(request.header("host")?.hasPrefix("127.0.0.1:") == true)
            return OriginResponse(
                status: 200,
                headers: [("Content-Length", "\(body.count)"), ("ETag", "\"x\"")],
                body: .bytes(body)
            )
        }) { address in
            let answer = try await exchange(address, "GET /items/a/b%20c?x=%31 HTTP/1.1\r\nHost: \(address)\r\n")
            #expect(answer.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.body == body)
            for field in ["ETag: \"x\"", "Server: segue", "Date: "] { #expect(answer.head.contains("\r\n\(field)")) }
        }
    }

    @Test func `a head's answer has the length and no body`() async throws {
        try await withServer({ _, _ in
            OriginResponse(status: 200, headers: [("Content-Length", "1234")], body: .empty)
        }) { address in
            let answer = try await exchange(address, "HEAD / HTTP/1.1\r\nHost: x\r\n")
            #expect(answer.head.contains("\r\nContent-Length: 1234\r\n"))
            #expect(answer.body.isEmpty)
        }
    }

    @Test func `a not modified has neither length nor body`() async throws {
        try await withServer({ _, _ in OriginResponse(status: 304, headers: [("ETag", "\"x\"")], body: .empty) }) {
            let answer = try await exchange($0, "GET /work HTTP/1.1\r\nHost: x\r\n")
            #expect(answer.head.hasPrefix("HTTP/1.1 304 "))
            #expect(!answer.head.lowercased().contains("content-length"))
            #expect(!answer.head.lowercased().contains("transfer-encoding"))
        }
    }

    @Test func `parts of files are sent from the file`() async throws {
        let folder = try TestFolder()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let path = try folder.write(bytes, to: "file")
        try await withServer({ _, _ in
            OriginResponse(
                status: 206,
                headers: [("Content-Length", "700000")],
                body: .file(path: path, offset: 123_456, length: 700_000)
            )
        }) { address in
            let answer = try await exchange(address, "GET /work HTTP/1.1\r\nHost: x\r\n")
            #expect(answer.body == Array(bytes[123_456..<823_456]))
        }
    }

    @Test func `pieces of files are sent one after another`() async throws {
        let folder = try TestFolder()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let path = try folder.write(bytes, to: "file")
        try await withServer({ _, _ in
            OriginResponse(
                status: 206,
                headers: [("Content-Length", "600007")],
                body: .pieces([
                    .bytes(Array("one".utf8)), .file(path: path, offset: 900_000, length: 100_000),
                    .bytes(Array("two\n".utf8)), .file(path: path, offset: 5, length: 500_000),
                ])
            )
        }) { address in
            let answer = try await exchange(address, "GET /work HTTP/1.1\r\nHost: x\r\n")
            let expected = Array("one".utf8) + bytes[900_000...] + Array("two\n".utf8) + bytes[5..<500_005]
            #expect(answer.body == expected)
        }
    }

    @Test func `a connection serves one request after another`() async throws {
        try await withServer({ request, _ in
            OriginResponse(status: 200, headers: [("Content-Length", "2")], body: .bytes(Array(request.target.utf8)))
        }) { address in
            let answer = try await exchange(address, "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.hasPrefix("/1HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n/2"))
        }
    }

    @Test func `requests sent at once are answered one after another`() async throws {
        try await withServer(
            threads: 2,
            queueLimit: 8,
            { request, _ in
                let body = Array("\(request.target);".utf8)
                return OriginResponse(status: 200, headers: [("Content-Length", "\(body.count)")], body: .bytes(body))
            }
        ) { address in
            let requests = (0..<20).map { "GET /piped/\($0) HTTP/1.1\r\nHost: x\r\n" }.joined(separator: "\r\n")
            let answer = try await exchange(address, requests)
            let text = answer.head + String(decoding: answer.body, as: UTF8.self)
            let targets = text.matches(of: /\/piped\/([0-9]+);/).map { String($0.1) }
            #expect(targets == (0..<20).map(String.init))
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\nno colon here\r\n", "nonsense\r\n", "GET / HTTP/9\r\n"])
    func `what is no HTTP is answered with 400 or not at all, and the server goes on`(nonsense: String) async throws {
        try await withServer({ _, _ in
            OriginResponse(status: 200, headers: [("Content-Length", "2")], body: .bytes([1, 2]))
        }) { address in
            let answer = try await exchange(address, nonsense)
            if !answer.head.isEmpty {
                #expect(answer.head.hasPrefix("HTTP/1.1 400 "))
                let lengths = answer.head.matches(of: /(?i)content-length: ([0-9]+)/).map { String($0.1) }
                #expect(lengths == ["\(answer.body.count)"])
                let body = try JSONDecoder().decode([String: [String: String]].self, from: Data(answer.body))
                #expect(body["error"]?["code"] == "badRequest")
                #expect(body["error"]?["message"]?.hasPrefix("the request cannot be read as HTTP/1.1: ") == true)
            }
            #expect(try await exchange(address, "GET / HTTP/1.1\r\nHost: x\r\n").body == [1, 2])
        }
    }

    @Test func `a client that stops in the middle of its request is left`() async throws {
        try await withServer(
            idleTimeLimit: .seconds(1),
            { _, _ in
                OriginResponse(status: 200, headers: [("Content-Length", "0")], body: .empty)
            }
        ) { address in
            let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: address.port).sending("GET / HTTP/1.1\r\nHost:").get()
            try await client.closeFuture.get()
        }
    }

    @Test func `a client that takes nothing of its answer is left`() async throws {
        let isGone = Gate()
        try await withServer(
            idleTimeLimit: .seconds(1),
            { request, _ in
                _ = request.client?.whenCancelled { isGone.open() }
                let size = 64 << 20
                return OriginResponse(
                    status: 200,
                    headers: [("Content-Length", "\(size)")],
                    body: .bytes([UInt8](repeating: 1, count: size))
                )
            }
        ) { address in
            let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(.autoRead, value: false)
                .connect(host: "127.0.0.1", port: address.port).sending("GET /work HTTP/1.1\r\nHost: x\r\n\r\n").get()
            try await blocking { isGone.wait() }.value
            try? await client.close()
        }
    }

    @Test func `a request whose client goes is cancelled`() async throws {
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
            // Whatever comes, the server's thread is let go.
            defer { mayEnd.open() }
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: address.port).get()
            try await channel.writeAndFlush(ByteBuffer(string: "GET /work HTTP/1.1\r\nHost: x\r\n\r\n"))
            try await blocking { isWorking.wait() }.value
            try await channel.close()
            var iterator = cancellations.makeAsyncIterator()
            #expect(await iterator.next() != nil)
        }
    }

    @Test func `a client that only has nothing more to ask is answered, and asked meanwhile whether it is there`()
        async throws
    {
        let mayFinish = Gate()
        try await withServer({ _, cancellation in
            _ = cancellation.whenCancelled { mayFinish.open() }
            mayFinish.wait()
            return OriginResponse(status: 200, headers: [("Content-Length", "2")], body: .bytes([65, 66]))
        }) { address in
            defer { mayFinish.open() }
            let text = try await halfClosedExchange(address, "GET /work HTTP/1.1\r\nHost: x\r\n\r\n") { text in
                if text.hasSuffix("\r\n\r\n") { mayFinish.open() }
            }
            #expect(text.hasPrefix("HTTP/1.1 102 Processing\r\n"))
            #expect(text.contains("\r\n\r\nHTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nAB"))
        }
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func `the end of an answer to HTTP 1.0 is that of the connection`(field: String) async throws {
        try await withServer({ request, _ in
            if request.target == "/endless" {
                let body = EndlessBody { TwoPieces() }
                return OriginResponse(status: 200, headers: [], body: .endless(body))
            }
            return OriginResponse(status: 200, headers: [("Content-Length", "2")], body: .bytes([65, 66]))
        }) { address in
            for (target, body) in [("/", "AB"), ("/endless", "onetwo")] {
                let text = try await wholeExchange(address, "GET \(target) HTTP/1.0\r\n\(field)\r\n")
                #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n") && text.hasSuffix("\r\n\r\n\(body)"))
                #expect(text.contains("\r\nConnection: close\r\n"))
                #expect(!text.lowercased().contains("transfer-encoding"))
            }
        }
    }

    @Test func `a connection whose end is asked for in any spelling ends`() async throws {
        try await withServer({ _, _ in
            OriginResponse(status: 200, headers: [("Content-Length", "2")], body: .bytes([65, 66]))
        }) { address in
            let text = try await wholeExchange(address, "GET / HTTP/1.1\r\nHost: x\r\nConnection: x, Close\r\n\r\n")
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nAB"))
        }
    }

    @Test func `health is told whatever the workers are at`() async throws {
        let (isWorking, mayFinish) = (Gate(), Gate())
        try await withServer({ request, _ in
            if request.target == "/health" {
                return OriginResponse(status: 200, headers: [("Content-Length", "3")], body: .bytes(Array("ok\n".utf8)))
            }
            isWorking.open()
            mayFinish.wait()
            return OriginFailure.cancelled.response
        }) { address in
            defer { mayFinish.open() }
            let first = Task { try await exchange(address, "GET /work HTTP/1.1\r\nHost: x\r\n") }
            try await blocking { isWorking.wait() }.value
            let health = try await exchange(address, "GET /health HTTP/1.1\r\nHost: x\r\n")
            let text = String(decoding: health.body, as: UTF8.self)
            #expect(health.head.contains("\r\nContent-Length: \(health.body.count)\r\n"))
            #expect(text.hasPrefix("ok\n"))
            #expect(text.contains("\nquick: 1 of 1 workers busy, the longest for "))
            mayFinish.open()
            _ = try await first.value
        }
    }

    @Test func `a server that is stopped does not wait for what hangs`() async throws {
        let (isWorking, mayFinish) = (Gate(), Gate())
        defer { mayFinish.open() }
        var client: (any Channel)?
        try await withServer({ _, _ in
            isWorking.open()
            mayFinish.wait()
            return OriginFailure.cancelled.response
        }) { address in
            client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: address.port).sending("GET /work HTTP/1.1\r\nHost: x\r\n\r\n").get()
            try await blocking { isWorking.wait() }.value
        }
        try? await client?.close()
    }

    @Test func `what is more than the queue is answered with 503`() async throws {
        let (isWorking, mayFinish) = (Gate(), Gate())
        let ok = OriginResponse(status: 200, headers: [("Content-Length", "0")], body: .empty)
        try await withServer({ _, _ in
            isWorking.open()
            mayFinish.wait()
            return ok
        }) { address in
            let first = Task { try await exchange(address, "GET /work HTTP/1.1\r\nHost: x\r\n") }
            try await blocking { isWorking.wait() }.value
            let refused = try await exchange(address, "GET /work HTTP/1.1\r\nHost: x\r\n")
            #expect(refused.head.hasPrefix("HTTP/1.1 503 "))
            #expect(refused.head.contains("\r\nRetry-After: 1\r\n"))
            mayFinish.open()
            #expect(try await first.value.head.hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test func `a port in use is one clear line`() async throws {
        try await withServer({ _, _ in OriginFailure.cancelled.response }) { address in
            let error = await #expect(throws: OriginServerError.self) {
                try await OriginServer.run(
                    .init(host: "127.0.0.1", port: address.port),
                    respond: { _, _ in OriginFailure.cancelled.response },
                    onReady: { _ in Issue.record("two servers cannot have one port") }
                )
            }
            #expect(error?.reason == .addressInUse)
            #expect(error?.description.hasPrefix("127.0.0.1:\(address.port): the port is in use") == true)
        }
    }

    @Test(arguments: ["192.0.2.1", "no-such-host.invalid"])
    func `a host that is not this machine's is one clear line`(host: String) async throws {
        let error = await #expect(throws: OriginServerError.self) {
            try await OriginServer.run(
                .init(host: host),
                respond: { _, _ in OriginFailure.cancelled.response },
                onReady: { _ in }
            )
        }
        #expect(error?.reason == .noSuchAddress, "\(error?.description ?? "")")
        #expect(error?.description.contains("\n") == false)
    }

    @Test(arguments: [-1, 65_536, 80_000])
    func `a port that is none is one clear line`(port: Int) async throws {
        let error = await #expect(throws: OriginServerError.self) {
            try await OriginServer.run(
                .init(host: "127.0.0.1", port: port),
                respond: { _, _ in OriginFailure.cancelled.response },
                onReady: { _ in }
            )
        }
        #expect(error?.description == "127.0.0.1:\(port): there is no such port; ports are 0 to 65535")
    }

    /// What a server sends until it ends the connection, which the client does not ask for.
    private func wholeExchange(_ address: OriginServer.Address, _ request: String) async throws -> String {
        try await text(address, request, isHalfClosed: false) { _ in }
    }

    /// What a server sends to a client that has nothing more to ask until it ends the connection.
    private func halfClosedExchange(
        _ address: OriginServer.Address,
        _ request: String,
        _ read: (String) -> Void
    ) async throws -> String {
        try await text(address, request, isHalfClosed: true, read)
    }

    private func text(
        _ address: OriginServer.Address,
        _ request: String,
        isHalfClosed: Bool,
        _ read: (String) -> Void
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            if isHalfClosed { outbound.finish() }
            var text = ""
            for try await buffer in inbound {
                text += String(buffer: buffer)
                read(text)
            }
            return text
        }
    }

    /// Sends a request that closes the connection after its answer, and reads to the end.
    private func exchange(
        _ address: OriginServer.Address,
        _ request: String
    ) async throws -> (head: String, body: [UInt8]) {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request + "Connection: close\r\n\r\n"))
            var bytes: [UInt8] = []
            for try await buffer in inbound { bytes += buffer.readableBytesView }
            let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? bytes.endIndex
            return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[end...]))
        }
    }
}

/// A body of two pieces whose length is not told.
private struct TwoPieces: EndlessReading {
    private var left = ["two", "one"]

    mutating func next() async -> [UInt8]? { left.popLast().map { Array($0.utf8) } }

    func close() {}
}

extension EventLoopFuture<any Channel> {
    /// The connection, on which a text is sent as soon as it is there, whatever else keeps tests waiting: the server's
    /// patience begins then.
    fileprivate func sending(_ text: String) -> EventLoopFuture<any Channel> {
        flatMap { channel in channel.writeAndFlush(ByteBuffer(string: text)).map { channel } }
    }
}
