import Foundation
import SegueBase
import SegueFetch
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueCurl

@Suite struct `HTTP fetcher` {
    private static func answer(_ status: String, _ text: String = "", _ headers: [String] = []) -> [LoopbackServer.Step]
    {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(text.utf8.count)"] + headers
        return [.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + text).utf8))]
    }

    /// Provides one credential after another, and records the challenges.
    private final class Keys: CredentialGiving {
        private let left: Mutex<[FetchCredential]>
        private let seen = Mutex<[FetchChallenge]>([])

        init(_ pairs: [(String, String)]) { left = Mutex(pairs.map { FetchCredential(user: $0.0, password: $0.1) }) }

        var challenges: [FetchChallenge] { seen.withLock { $0 } }

        func credential(for challenge: FetchChallenge) -> FetchCredential? {
            seen.withLock { $0.append(challenge) }
            return left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    @Test func `one call returns status, headers, and text`() async throws {
        let server = try LoopbackServer { _ in Self.answer("200 OK", "grüezi", ["X-Kind: greeting"]) }
        defer { server.stop() }
        let answer = try await HTTPFetcher(server.url("/a")).fetch()
        #expect(answer.status == 200 && answer.header("x-KIND") == "greeting")
        #expect(try answer.text() == "grüezi")
        #expect(answer.url == server.url("/a"))
    }

    @Test func `an error status is a failure with the response`() async throws {
        let server = try LoopbackServer { _ in Self.answer("403 Forbidden", "members only") }
        defer { server.stop() }
        let failure = await #expect(throws: HTTPFailure.self) { try await HTTPFetcher(server.url("/")).fetch() }
        #expect(failure?.kind == .status(403))
        #expect(try failure?.answer?.text() == "members only")
        #expect(failure?.description.contains("403") ?? false)
    }

    @Test func `a body is sent with method and type`() async throws {
        let server = try LoopbackServer.answering({ request in
            Self.answer(
                "200 OK",
                "\(request.head.prefix(4)) \(request.header("content-type") ?? "") \(request.body.count)"
            )
        })
        defer { server.stop() }
        for (method, body, wanted) in [
            (nil, Array("{}".utf8), "POST application/json 2"), ("PUT", [], "PUT  application/json 0"),
        ] {
            let fetcher = HTTPFetcher(
                server.url("/"),
                method: method,
                headers: [("Content-Type", "application/json")],
                body: body
            )
            #expect(try await fetcher.fetch().text() == wanted)
        }
    }

    @Test(arguments: PasswordCheck.allCases)
    func `sends name and password in the server's scheme`(check: PasswordCheck) async throws {
        let server = try check.server(user: "ann", password: "s3:cr€t")
        defer { server.stop() }
        let keys = Keys([("ann", "wrong"), ("ann", "s3:cr€t")])
        let answer = try await HTTPFetcher(server.url("/film"), credentials: keys).fetch()
        #expect(try answer.text() == "welcome")
        #expect(keys.challenges.map(\.failures) == [0, 1])
        #expect(keys.challenges.allSatisfy { $0.realm == "films" && $0.url == server.url("/film") })
        #expect(keys.challenges.map(\.scheme) == (check == .basic ? [.basic, .basic] : [.digest, .digest]))
        // No credential is sent before a challenge.
        #expect(!server.requests[0].lowercased().contains("authorization"))
    }

    @Test(arguments: PasswordCheck.allCases)
    func `returns the 401 without further credentials`(check: PasswordCheck) async throws {
        let server = try check.server(user: "ann", password: "s3:cr€t")
        defer { server.stop() }
        let keys = Keys([("ann", "wrong"), ("bob", "wrong")])
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPFetcher(server.url("/"), credentials: keys).fetch()
        }
        #expect(failure?.kind == .status(401))
        #expect(keys.challenges.map(\.failures) == [0, 1, 2])
    }

    @Test func `nothing is called back after a cancellation, and the connection closes`() throws {
        let server = try LoopbackServer { _ in
            [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n".utf8)), .sendForever([1, 2, 3, 4])]
        }
        defer { server.stop() }
        let called = Mutex(0)
        let fetcher = HTTPFetcher(server.url("/"))
        fetcher.start { _ in called.withLock { $0 += 1 } }
        fetcher.cancel()
        let second = HTTPFetcher(server.url("/"))
        let hasBegun = DispatchSemaphore(value: 0)
        second.start { _ in called.withLock { $0 += 1 } }
        while server.requests.isEmpty { _ = hasBegun.wait(timeout: .now() + .milliseconds(5)) }
        second.cancel()
        #expect(server.waitForCloses(1))
        #expect(called.withLock { $0 } == 0)
    }

    @Test func `a cancelled task ends at once`() async throws {
        let server = try LoopbackServer { _ in [.stall] }
        defer { server.stop() }
        let task = Task { try await HTTPFetcher(server.url("/")).fetch() }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.waitForCloses(1))
    }

    @Test func `cancelling ends a waiting task, and prevents a request if done first`() async throws {
        let server = try LoopbackServer { _ in [.stall] }
        defer { server.stop() }
        let early = HTTPFetcher(server.url("/early"))
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.fetch() }
        let called = Mutex(0)
        let started = HTTPFetcher(server.url("/early"))
        started.cancel()
        started.start { _ in called.withLock { $0 += 1 } }
        let fetcher = HTTPFetcher(server.url("/late"))
        let task = Task { try await fetcher.fetch() }
        while server.requests.isEmpty { await Task.yield() }
        fetcher.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.waitForCloses(1))
        #expect(server.requests.allSatisfy { $0.hasPrefix("GET /late ") })
        #expect(called.withLock { $0 } == 0)
    }

    /// Blocks until it is released before it provides a credential.
    private final class SlowKeys: CredentialGiving {
        let isAsked = DispatchSemaphore(value: 0)
        let mayTell = DispatchSemaphore(value: 0)

        func credential(for challenge: FetchChallenge) -> FetchCredential? {
            isAsked.signal()
            mayTell.wait()
            return FetchCredential(user: "ann", password: "s3:cr€t")
        }
    }

    @Test func `cancelling does not wait for a credential provider`() throws {
        let server = try PasswordCheck.basic.server(user: "ann", password: "s3:cr€t")
        defer { server.stop() }
        let keys = SlowKeys()
        let called = Mutex(0)
        let fetcher = HTTPFetcher(server.url("/film"), credentials: keys)
        fetcher.start { _ in called.withLock { $0 += 1 } }
        #expect(keys.isAsked.wait(timeout: .now() + 30) == .success)
        let isCancelled = DispatchSemaphore(value: 0)
        Thread {
            fetcher.cancel()
            isCancelled.signal()
        }.start()
        #expect(isCancelled.wait(timeout: .now() + 30) == .success)
        keys.mayTell.signal()
        #expect(server.waitForCloses(1))
        #expect(server.requests.count == 1 && called.withLock { $0 } == 0)
    }

    @Test(arguments: PasswordCheck.allCases)
    func `only the server after a redirect receives its credential`(check: PasswordCheck)
        async throws
    {
        let second = try check.server(user: "ann", password: "s3:cr€t")
        let target = second.url("/film")
        let first = try LoopbackServer { _ in Self.answer("302 Found", "", ["Location: \(target)"]) }
        defer {
            first.stop()
            second.stop()
        }
        let keys = Keys([("ann", "wrong"), ("ann", "s3:cr€t")])
        let cookie = [(name: "Cookie", value: "a=b"), (name: "X-Kind", value: "c")]
        let answer = try await HTTPFetcher(first.url("/"), headers: cookie, credentials: keys).fetch()
        #expect(try answer.text() == "welcome")
        #expect(keys.challenges.map(\.failures) == [0, 1] && keys.challenges.allSatisfy { $0.url == target })
        #expect(first.requests.count == 1)
        #expect(first.requests.allSatisfy { !$0.lowercased().contains("authorization") })
        #expect(second.requests.allSatisfy { !$0.contains("a=b") && $0.contains("X-Kind: c") })
    }

    @Test func `redirects between servers with passwords are limited`() async throws {
        let urls = Mutex(["", ""])
        func server(sendingTo other: Int) throws -> LoopbackServer {
            try LoopbackServer.answering({ request in
                request.header("authorization") == nil
                    ? Self.answer("401 Unauthorized", "no", ["WWW-Authenticate: Basic realm=a"])
                    : Self.answer("302 Found", "", ["Location: \(urls.withLock { $0[other] })"])
            })
        }
        let (first, second) = (try server(sendingTo: 1), try server(sendingTo: 0))
        defer {
            first.stop()
            second.stop()
        }
        urls.withLock { $0 = [first.url("/"), second.url("/")] }
        let keys = Keys(Array(repeating: ("ann", "x"), count: 40))
        let failure = await #expect(throws: HTTPFailure.self) {
            try await HTTPFetcher(first.url("/"), credentials: keys).fetch()
        }
        #expect(failure?.kind == .status(401))
        #expect(keys.challenges.count < 10)
    }

    @Test func `each timeout ends a wait`() async throws {
        let server = try LoopbackServer { target in
            target == "/slow"
                ? [.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)), .sendForever([1])] : [.stall]
        }
        defer { server.stop() }
        let cases = [
            ("/", HTTPFetcher.Timeouts(idle: .milliseconds(50))),
            ("/slow", HTTPFetcher.Timeouts(whole: .milliseconds(80))),
        ]
        for (target, timeouts) in cases {
            let failure = await #expect(throws: HTTPFailure.self) {
                try await HTTPFetcher(server.url(target), timeouts: timeouts, limit: .max).fetch()
            }
            #expect(failure?.kind == .transport(.timedOut))
        }
    }

    @Test func `decodes JSON, or reports the position of the mismatch`() async throws {
        struct Film: Decodable, Equatable {
            var title: String
            var year: Int
        }
        let server = try LoopbackServer { target in
            Self.answer("200 OK", target == "/good" ? #"{"title":"M","year":1931}"# : #"{"title":"M","year":"old"}"#)
        }
        defer { server.stop() }
        #expect(try await HTTPFetcher(server.url("/good")).fetch().json(Film.self) == Film(title: "M", year: 1931))
        let bad = try await HTTPFetcher(server.url("/bad")).fetch()
        let failure = #expect(throws: HTTPFailure.self) { try bad.json(Film.self) }
        #expect(failure?.kind == .unreadable && failure?.description.contains("year") ?? false)
    }

    @Test func `queries XML with XPath`() throws {
        func xml(_ text: String) throws -> XMLAnswer {
            try FetchAnswer(status: 200, headers: [], url: "u", bytes: Array(text.utf8)).xml()
        }
        let feed = """
            \u{FEFF}<?xml version="1.0"?><!-- films --><rss xmlns:m='urn:m'><channel>
            <item n='1'><title>A &amp; B</title><m:kind>x</m:kind></item><item n='2'><title><![CDATA[C <1>]]></title></item>
            <item n="30"><title>D&#233;<b>f</b>g</title></item></channel></rss>
            """
        let document = try xml(feed)
        let wanted: [(String, [String])] = [
            ("//item/title", ["A & B", "C <1>", "Défg"]), ("/rss/channel/item[title='C <1>']/@n", ["2"]),
            ("//item[@n > 1 and contains(title, 'C')]/title/text()", ["C <1>"]), ("//m:kind/../@n", ["1"]),
            ("//item[last()]/title/b", ["f"]), ("//item[2]/@n", ["2"]), ("//*[name()='b' or @n=1]/@n", ["1"]),
            ("//item[not(m:kind)][1]/@n", ["2"]), ("//channel[count(item) = 3]/item[position() >= 2]/@n", ["2", "30"]),
            ("//nothing", []), ("/rss//b", ["f"]), ("//item[starts-with(title,\"D\")]/./@*", ["30"]),
        ]
        for (path, texts) in wanted { #expect(try document.strings(path) == texts, "\(path)") }
        let wrong = [
            "///[", "", "//item[", "//item[]", "//item[=1]", "//item[1", "//item]", "//item['x]", "count(//item",
        ]
        for wrong in wrong {
            #expect(throws: HTTPFailure.self) { try document.strings(wrong) }
        }
    }

    @Test func `rejects invalid XML and entity declarations`() throws {
        let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><x>&b;</x>"
        let leak = "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>"
        let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
        let all = [
            bomb, leak, deep, "", "no xml", "<a><b></a>", "<x>\0</x>", "<a/><b/>", "<a x=1/>", "<a x='1' x='2'/>", "<a",
            "<a>", "<a>&b;</a>", "<a>&#0;</a>", "<a>&#xFFFFFFFFF;</a>", "</a>", "<a></a>x", "<![CDATA[x]]>",
            "<a><![CDATA[</a>", "<a x='<'/>", "<a>/>",
        ]
        for text in all {
            let answer = FetchAnswer(status: 200, headers: [], url: "u", bytes: Array(text.utf8))
            #expect(throws: HTTPFailure.self, "\(text.prefix(40))") { try answer.xml() }
        }
    }

    @Test func `accepts the first line of old radio servers`() async throws {
        let server = try LoopbackServer { _ in
            [.send(Array("ICY 200 OK\r\nicy-name: Old\r\ncontent-type: audio/mpeg\r\n\r\nsound".utf8)), .close]
        }
        defer { server.stop() }
        let answer = try await HTTPFetcher(server.url("/")).fetch()
        #expect(answer.status == 200 && answer.header("icy-name") == "Old")
        #expect(try answer.text() == "sound")
    }

    @Test func `rejects an endless head`() async throws {
        let server = try LoopbackServer { _ in
            [
                .send(Array("HTTP/1.1 200 OK\r\n".utf8)),
                .sendForever(Array("icy-x: \(String(repeating: "y", count: 900))\r\n".utf8)),
            ]
        }
        defer { server.stop() }
        let failure = await #expect(throws: HTTPFailure.self) { try await HTTPFetcher(server.url("/")).fetch() }
        if case .transport = failure?.kind {} else { Issue.record("\(String(describing: failure))") }
    }
}
