import Foundation
import SegueBase
import SegueCurl
import SegueFetch
import SegueTestSupport
import Synchronization
import Testing

@Suite struct `Live fetcher` {
    private static func answer(_ head: String, _ body: [UInt8] = []) -> [UInt8] {
        Array((head.split(separator: "\n").joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private static func ok(_ body: [UInt8]) -> [UInt8] {
        answer("HTTP/1.1 200 OK\ncontent-length: \(body.count)", body)
    }

    private func fetch(_ request: FetchRequest) throws -> FetchResult {
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        fetcher.start(request, at: .zero)
        let result = fetches.result(of: request.id.number)
        fetcher.close()
        #expect(fetches.open == 0)
        return result
    }

    @Test func `returns a complete response with its head and address`() throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try LoopbackServer { _ in
            [.send(Self.answer("HTTP/1.1 200 OK\nX-A: b: c\nContent-Length: 300000", body))]
        }
        defer { server.stop() }
        let result = try fetch(FetchRequest(id: FetchID(1), url: server.url("/a?b")))
        #expect(result.isFinished)
        #expect(result.body == body)
        #expect(result.response?.status == 200)
        #expect(result.response?.headers.first?.name == "x-a")
        #expect(result.response?.headers.first?.value == "b: c")
        #expect(result.response?.url == server.url("/a?b"))
        #expect(result.response?.serverAddress == "127.0.0.1:\(server.port)")
        #expect(server.requests.first?.hasPrefix("GET /a?b HTTP/1.1\r\n") == true)
    }

    /// HTTP/1.1 keeps a connection by default, HTTP/1.0 does not; a body without a length ends it.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\ncontent-length: 1", false), ("HTTP/1.0 200 OK\ncontent-length: 1", true),
        ("HTTP/1.1 200 OK\ncontent-length: 1\nConnection: x, Close", true),
        ("HTTP/1.0 200 OK\ncontent-length: 1\nconnection: Keep-Alive", false), ("HTTP/1.1 200 OK\nx: y", true),
    ])
    func `reports whether the connection ends with the response`(head: String, isLast: Bool) throws {
        let server = try LoopbackServer { _ in [.send(Self.answer(head, [1])), .close] }
        defer { server.stop() }
        let result = try fetch(FetchRequest(id: FetchID(1), url: server.url("/")))
        #expect(result.isFinished && result.response?.isLast == isLast)
    }

    @Test(arguments: [LoopbackServer.Step.reset, .close])
    func `counts a request that a kept connection lost`(loss: LoopbackServer.Step) throws {
        let counts = Mutex<[Int: Int]>([:])
        let server = try LoopbackServer.answering { request in
            let count = counts.withLock { counts in
                counts[request.connection, default: 0] += 1
                return counts[request.connection] ?? 0
            }
            return count < 3 ? [.send(Self.ok([UInt8(request.connection)]))] : [loss]
        }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        defer { fetcher.close() }
        let results = (1...5).map { number in
            fetcher.start(FetchRequest(id: FetchID(number), url: server.url("/")), at: .zero)
            return fetches.result(of: number)
        }
        #expect(results.map(\.body) == [[1], [1], [2], [2], [3]])
        let uses = [(0, 0), (1, 0), (1, 1), (1, 0), (1, 1)].map { ConnectionUse(kept: $0, lost: $1) }
        #expect(results.map { $0.response?.connection } == uses)
    }

    @Test func `a redirect on a kept connection is no loss`() throws {
        let server = try LoopbackServer { target in
            let redirect = Self.answer("HTTP/1.1 302 x\ncontent-length: 0\nlocation: /a")
            return [.send(target == "/" ? redirect : Self.ok([1]))]
        }
        defer { server.stop() }
        let result = try fetch(FetchRequest(id: FetchID(1), url: server.url("/")))
        #expect(result.response?.connection == ConnectionUse(kept: 1, lost: 0))
    }

    @Test(arguments: [[1, 2], [2, 1]]) func `uses the oldest idle connection`(ends: [Int]) throws {
        let gates = ["/1": DispatchSemaphore(value: 0), "/2": DispatchSemaphore(value: 0)]
        let arrived = DispatchSemaphore(value: 0)
        let server = try LoopbackServer.answering { request in
            arrived.signal()
            gates[String(request.head.split(separator: " ")[1])]?.wait()
            return [.send(Self.ok([UInt8(request.connection)]))]
        }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        defer { fetcher.close() }
        for number in 1...2 {
            fetcher.start(FetchRequest(id: FetchID(number), url: server.url("/\(number)")), at: .zero)
        }
        // Before the first response: a request that starts later uses the connection that it frees.
        for _ in 1...2 { arrived.wait() }
        let connections = ends.map { number in
            gates["/\(number)"]?.signal()
            return fetches.result(of: number).body
        }
        #expect(connections == ends.map { [UInt8($0)] })
        fetcher.start(FetchRequest(id: FetchID(3), url: server.url("/3")), at: .zero)
        #expect(fetches.result(of: 3).body == [1])
    }

    @Test func `requests share connections only within a lane`() throws {
        let server = try LoopbackServer.answering { [.send(Self.ok([UInt8($0.connection)]))] }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        defer { fetcher.close() }
        for (number, lane, connection) in [(1, "", 1), (2, "a", 2), (3, "b", 3), (4, "a", 2), (5, "", 1)] {
            var request = FetchRequest(id: FetchID(number), url: server.url("/"))
            request.lane = lane
            fetcher.start(request, at: .zero)
            #expect(fetches.result(of: number).body == [UInt8(connection)])
        }
    }

    @Test func `a kept connection serves no other request`() throws {
        let server = try LoopbackServer.answering { [.send(Self.ok([UInt8($0.connection)]))] }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        defer { fetcher.close() }
        for (number, keeps, connection) in [(1, false, 1), (2, true, 1), (3, false, 2), (4, false, 2)] {
            var request = FetchRequest(id: FetchID(number), url: server.url("/"))
            request.keepsConnection = keeps
            fetcher.start(request, at: .zero)
            #expect(fetches.result(of: number).body == [UInt8(connection)])
        }
    }

    /// More than the sockets of both ends hold.
    private static let much = [UInt8](repeating: 7, count: 24 << 20)

    @Test(arguments: ["", "a"]) func `delays an unread response until it is read`(lane: String) throws {
        let server = try LoopbackServer { $0 == "/stall" ? [.stall] : [.send(Self.ok(Self.much))] }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        defer { fetcher.close() }
        var request = FetchRequest(id: FetchID(1), url: server.url("/1"), patience: .seconds(5))
        (request.isUnread, request.lane) = (true, lane)
        fetcher.start(request, at: .zero)
        guard case .response = fetches.first(where: { $0.id.number == 1 }) else { return #expect(Bool(false)) }
        // By then it would have arrived, and its patience has ended as well.
        fetcher.start(FetchRequest(id: FetchID(2), url: server.url("/2")), at: .zero)
        #expect(fetches.result(of: 2).body.count == Self.much.count)
        fetcher.start(FetchRequest(id: FetchID(3), url: server.url("/stall"), patience: .seconds(6)), at: .zero)
        #expect(fetches.result(of: 3).error?.reason == .timedOut)
        #expect(fetches.all.count { $0.id.number == 1 } == 1)
        fetcher.read(FetchID(1), at: .zero)
        #expect(fetches.result(of: 1).body == Self.much)
    }

    @Test func `pauses and resumes reading`() throws {
        let server = try LoopbackServer {
            $0 == "/1"
                ? [.send(Self.answer("HTTP/1.1 200 OK\nx: y")), .sendForever([UInt8](repeating: 1, count: 1 << 16))]
                : [.send(Self.ok([5]))]
        }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        defer { fetcher.close() }
        fetcher.start(FetchRequest(id: FetchID(1), url: server.url("/1"), limit: 8 << 20), at: .zero)
        _ = fetches.first { if case .data = $0 { true } else { false } }
        fetcher.stopReading(FetchID(1), at: .zero)
        // Each begins after the data requested before.
        let counts = (2...4).map { number in
            fetcher.start(FetchRequest(id: FetchID(number), url: server.url("/\(number)")), at: .zero)
            #expect(fetches.result(of: number).body == [5])
            return fetches.all.count { $0.id.number == 1 }
        }
        #expect(counts[1] == counts[0] && counts[2] == counts[0])
        fetcher.read(FetchID(1), at: .zero)
        #expect(fetches.result(of: 1).error?.reason == .tooLarge)
    }

    @Test func `sends ranges and additional headers`() throws {
        let server = try LoopbackServer { _ in
            [.send(Self.answer("HTTP/1.1 206 Partial Content\ncontent-length: 2", [1, 2]))]
        }
        defer { server.stop() }
        let result = try fetch(
            FetchRequest(
                id: FetchID(1),
                url: server.url("/"),
                range: FetchRange(offset: 10, length: 2),
                headers: [("cmcd-request", "bl=100")]
            )
        )
        #expect(result.response?.status == 206 && result.isFinished)
        let head = server.requests.first?.lowercased() ?? ""
        #expect(head.contains("range: bytes=10-11\r\n"))
        #expect(head.contains("cmcd-request: bl=100\r\n"))
        #expect(!head.contains("accept-encoding"))
    }

    @Test func `an HTTP error is a response`() throws {
        let server = try LoopbackServer { _ in
            [.send(Self.answer("HTTP/1.1 404 Not Found\ncontent-length: 4", [1, 2, 3, 4]))]
        }
        defer { server.stop() }
        let result = try fetch(FetchRequest(id: FetchID(1), url: server.url("/")))
        #expect(result.response?.status == 404 && result.isFinished && result.body == [1, 2, 3, 4])
    }

    @Test func `decompresses gzip`() throws {
        // "segue" in gzip format.
        let packed: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2B, 0x4E, 0x4D, 0x2F, 0x4D, 0x05, 0x00, 0xF2,
            0xAF, 0xA0, 0x56, 0x05, 0x00, 0x00, 0x00,
        ]
        let server = try LoopbackServer { _ in
            [.send(Self.answer("HTTP/1.1 200 OK\ncontent-encoding: gzip\ncontent-length: \(packed.count)", packed))]
        }
        defer { server.stop() }
        let result = try fetch(FetchRequest(id: FetchID(1), url: server.url("/")))
        #expect(result.error == nil)
        #expect(result.body == Array("segue".utf8))
    }

    @Test func `follows redirects and reports the last URL`() throws {
        let server = try LoopbackServer { target in
            target == "/a"
                ? [.send(Self.answer("HTTP/1.1 302 Found\nlocation: /b\ncontent-length: 3", [9, 9, 9]))]
                : [.send(Self.ok([1]))]
        }
        defer { server.stop() }
        let result = try fetch(FetchRequest(id: FetchID(1), url: server.url("/a")))
        #expect(result.response?.status == 200 && result.body == [1])
        #expect(result.response?.url == server.url("/b"))
    }

    private static let late = FetchRequest(id: FetchID(1), url: "", patience: .milliseconds(200), limit: 100_000)

    @Test(arguments: [
        ("stalls before it answers", [LoopbackServer.Step.stall], FetchError.Reason.timedOut),
        ("stalls in its head", [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .stall], .timedOut),
        (
            "stalls in its body", [.send(Array("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1".utf8)), .stall],
            .timedOut
        ),
        ("resets", [.reset], .connectionLost),
        ("closes without an answer", [.close], .connectionLost),
        ("closes in its head", [.send(Array("HTTP/1.1 200 OK\r\nA: b".utf8)), .close], .truncated),
        (
            "cuts its body short", [.send(Array("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n123".utf8)), .close],
            .truncated
        ),
        (
            "cuts a chunked body short",
            [.send(Array("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12".utf8)), .close], .truncated
        ),
        (
            "redirects in a loop",
            [.send(Array("HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n".utf8))], .tooManyRedirects
        ),
        (
            "redirects to a file",
            [.send(Array("HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n".utf8))],
            .other
        ),
        ("sends garbage", [.send((0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 37 | 1) }), .close], .other),
        (
            "sends headers without end",
            [.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(Array("a: b\r\n".utf8))], .other
        ),
        (
            "sends a body without end", [.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)), .sendForever([1, 2, 3])],
            .tooLarge
        ),
    ])
    func `reports misbehaving servers with a reason`(
        what: String,
        steps: [LoopbackServer.Step],
        reason: FetchError.Reason
    ) throws {
        let server = try LoopbackServer { _ in steps }
        defer { server.stop() }
        let request = FetchRequest(id: FetchID(1), url: server.url("/"), patience: .milliseconds(300), limit: 100_000)
        let result = try fetch(request)
        #expect(result.error?.reason == reason, "\(what): \(String(describing: result.error))")
        #expect(!result.isFinished)
        let line = result.error?.description ?? ""
        #expect(line.contains(server.url("/")) && !line.contains("\n"))
    }

    @Test func `reports unreachable servers with a reason`() throws {
        let unheard = try UnheardPort()
        defer { withExtendedLifetime(unheard) {} }
        let refused = try fetch(FetchRequest(id: FetchID(1), url: "http://127.0.0.1:\(unheard.port)/"))
        #expect(refused.error?.reason == .cannotConnect)
        #expect(try fetch(FetchRequest(id: FetchID(1), url: "http://nowhere.invalid/")).error?.reason == .cannotResolve)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://127.0.0.1/", "127.0.0.1", "", "http:///x", "http://a b/", "http://[::1/",
    ])
    func `rejects invalid URLs`(url: String) throws {
        #expect(try fetch(FetchRequest(id: FetchID(1), url: url)).error?.reason == .badURL)
    }

    @Test func `rejects line breaks in request headers`() throws {
        let server = try LoopbackServer { _ in [.send(Self.ok([]))] }
        defer { server.stop() }
        let request = FetchRequest(id: FetchID(1), url: server.url("/"), headers: [("a", "b\r\nc: d")])
        #expect(try fetch(request).error?.reason == .other)
        #expect(server.requests.isEmpty)
    }

    @Test func `a cancelled request delivers nothing more, and its connection closes`() throws {
        let server = try LoopbackServer { _ in
            [.send(Array("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n1".utf8)), .stall]
        }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        fetcher.start(FetchRequest(id: FetchID(1), url: server.url("/")), at: .zero)
        _ = try #require(fetches.first { $0.isData })
        fetcher.cancel(FetchID(1), at: .zero)
        #expect(fetches.open == 0)
        let count = fetches.all.count
        #expect(server.waitForCloses(1))
        fetcher.close()
        #expect(fetches.all.count == count)
    }

    @Test func `requests to one host share up to six connections`() throws {
        let server = try LoopbackServer { _ in [.send(Self.ok([1, 2, 3]))] }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        for number in 1...40 {
            fetcher.start(FetchRequest(id: FetchID(number), url: server.url("/\(number)")), at: .zero)
        }
        for number in 1...40 { #expect(fetches.result(of: number).body == [1, 2, 3]) }
        fetcher.close()
        #expect(server.waitForCloses(1))
        #expect(server.requests.count == 40)
    }

    @Test(arguments: PasswordCheck.allCases)
    func `sends a credential only to its host, and only after one challenge`(check: PasswordCheck)
        throws
    {
        let server = try check.server(user: "ann", password: "s3:cr€t")
        let other = try LoopbackServer { _ in [.send(Self.ok([]))] }
        defer {
            server.stop()
            other.stop()
        }
        let fetches = Fetches()
        let credential = FetchCredential(user: "ann", password: "s3:cr€t")
        let fetcher = try fetches.liveFetcher(credentials: ["127.0.0.1:\(server.port)": credential])
        for number in 1...3 {
            fetcher.start(FetchRequest(id: FetchID(number), url: server.url("/\(number)")), at: .zero)
            let result = fetches.result(of: number)
            #expect(result.response?.status == 200)
            #expect(String(decoding: result.body, as: UTF8.self) == "welcome")
        }
        fetcher.start(FetchRequest(id: FetchID(4), url: other.url("/")), at: .zero)
        #expect(fetches.result(of: 4).response?.status == 200)
        #expect(!other.requests[0].lowercased().contains("authorization"))
        if check == .basic { #expect(server.requests.count == 4) }
        fetcher.close()
    }

    @Test func `closing ends stalled requests at once`() throws {
        let server = try LoopbackServer { _ in [.stall] }
        defer { server.stop() }
        let fetches = Fetches()
        let fetcher = try fetches.liveFetcher()
        for number in 1...9 { fetcher.start(FetchRequest(id: FetchID(number), url: server.url("/")), at: .zero) }
        fetcher.close()
        #expect(fetches.open == 0)
        #expect(fetches.all.isEmpty)
    }

    @Test func `a run's loop waits for its requests`() throws {
        let server = try LoopbackServer { _ in [.send(Self.ok([1, 2, 3]))] }
        defer { server.stop() }
        let loop = EventLoop<FetchEvent>(pace: .virtual)
        let fetcher = try LiveFetcher(FetchRecipient(mailbox: loop.mailbox) { $0 })
        fetcher.start(FetchRequest(id: FetchID(1), url: server.url("/")), at: loop.now)
        var events: [FetchEvent] = []
        #expect(loop.run { event, _ in events.append(event) } == .idle)
        #expect(FetchResult(events).isFinished)
    }
}
