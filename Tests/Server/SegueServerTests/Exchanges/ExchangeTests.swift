import Foundation
import HTTPTypes
import NIOCore
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueServer

@Suite struct `The access log` {
    @Test(arguments: [
        ("/items/a/index.m3u8?background=1", "/items/a/index.m3u8?background=1"), ("/", "/"), ("", ""),
        ("/k/SECRET/items/a/0.ts", "/k/***/items/a/0.ts"), ("/k/SECRET", "/k/***"), ("/k/", "/k/"),
        ("//k//SECRET/x", "//k//***/x"), ("/%6B/SECRET/x", "/%6B/***/x"), ("/K/SECRET/x", "/K/***/x"),
        ("/?key=SECRET", "/?key=***"), ("/?a=1&KEY=SECRET&b=2", "/?a=1&KEY=***&b=2"), ("/?k%65y=SECRET", "/?k%65y=***"),
        ("/?token=a&password=b&sig=c", "/?token=***&password=***&sig=***"), ("/?key", "/?key"),
        ("/?a=1;key=SECRET", "/?a=1&key=***"), ("/?x?key=SECRET", "/?x&key=***"),
        ("http://ann:SECRET@host/k/SECRET/?key=SECRET", "http://***@host/k/***/?key=***"),
    ])
    func `keys are masked`(target: String, masked: String) { #expect(MaskedTarget.masking(target) == masked) }

    private func exchange(_ target: String = "/x", agent: String? = nil) -> Exchange {
        Exchange(
            client: ClientAddress("192.0.2.7")!,
            method: "GET",
            target: target,
            referrer: nil,
            agent: agent,
            decision: .serve,
            began: .now,
            status: 200,
            bytes: 1234,
            duration: .microseconds(1_012_345)
        )
    }

    @Test func `a line has the combined format with the duration and the outcome`() {
        #expect(
            AccessLine.text(exchange(), at: 1_795_393_495, isPrivate: false)
                == "192.0.2.7 - - [23/Nov/2026:00:24:55 +0000] \"GET /x HTTP/1.1\" 200 1234 \"-\" \"-\" 1.012345 complete"
        )
        var left = exchange(agent: "a \"b\\c\"\nd\u{1}é")
        (left.status, left.leftEarly, left.referrer) = (nil, true, "http://h/k/SECRET/")
        #expect(
            AccessLine.text(left, at: 0, isPrivate: true)
                == "192.0.2.0 - - [01/Jan/1970:00:00:00 +0000] \"GET /x HTTP/1.1\" - 1234 \"http://h/k/***/\" "
                + "\"a \\x22b\\x5Cc\\x22\\x0Ad\\x01\\xC3\\xA9\" 1.012345 left"
        )
    }

    @Test func `lines without room are lost, counted, and reported once, and the file has whole lines`() {
        var (batches, file, room) = (LogBatches(), [UInt8](), 10)
        let write = { (bytes: ArraySlice<UInt8>) -> Int in
            let count = min(room, bytes.count)
            file += bytes.prefix(count)
            room -= count
            return count
        }
        let add = { (text: String) in batches.add(Array(text.utf8)[...], write: write) }
        #expect(add("one\ntwo\n") == nil)
        #expect(add("three\nfour\n") == .losing)
        #expect(add("five\nsix\n") == nil)
        #expect(batches.lost == 3)
        room = 100
        #expect(add("seven\n") == .goesOn(lost: 3))
        #expect(add("eight\n") == nil)
        #expect(String(decoding: file, as: UTF8.self) == "one\ntwo\nthree\nseven\neight\n")
        #expect(batches.lose(2) == .losing && batches.lost == 5)
    }

    @Test func `a moved file is followed by a new one`() async throws {
        let folder = try TestFolder()
        let (path, old) = (folder.file("log"), folder.file("log.1"))
        let log = try AccessLog(path) { Issue.record("\($0)") }
        log.add(exchange("/1"))
        try await blocking { log.waitUntilWritten() }.value
        try FileManager.default.moveItem(atPath: path, toPath: old)
        log.add(exchange("/2"))
        try await blocking { log.end() }.value
        #expect(try String(contentsOfFile: old, encoding: .utf8).contains("GET /1 "))
        let new = try String(contentsOfFile: path, encoding: .utf8)
        #expect(new.contains("GET /2 ") && new.hasSuffix("complete\n") && log.lost == 0)
    }

    @Test func `a full disk loses lines, which is reported`() async throws {
        let said = Monitor<[String]>([])
        let log = try AccessLog("/dev/full") { line in said.withLock { $0.append(line) } }
        for _ in 0..<3 { log.add(exchange()) }
        try await blocking { log.end() }.value
        #expect(log.lost == 3)
        #expect(
            said.withLock { $0.first } == "/dev/full: No space left on device; lines are lost until it can be written"
        )
        #expect(said.withLock { $0.last } == "/dev/full: 3 lines were lost: No space left on device")
    }

    @Test func `an unwritable log is an error of one line`() {
        let error = #expect(throws: AccessLog.Failure.self) { try AccessLog("/nowhere/log") { _ in } }
        #expect(error?.description == "/nowhere/log: No such file or directory")
    }

    @Test func `lines contain the sent bytes and an early disconnect`() async throws {
        let folder = try TestFolder()
        let log = try AccessLog(folder.file("log")) { Issue.record("\($0)") }
        let size = 32 << 20
        try await withServer(
            fairness: .init(log: log),
            { request, _ in
                let body = request.target == "/small" ? [65, 66] : [UInt8](repeating: 1, count: size)
                return OriginResponse(status: 200, headers: [.contentLength: "\(body.count)"], body: .bytes(body))
            }
        ) { address in
            _ = try await address.exchange("GET /small HTTP/1.1\r\nHost: x\r\nUser-Agent: test\r\n")
            let text = "GET /large?key=SECRET HTTP/1.1\r\nHost: x\r\n\r\n"
            try await address.connection(sending: text, readBy: ClosesWhenRead()).waitForClose()
        }
        try await blocking { log.end() }.value
        let lines = try String(contentsOfFile: folder.file("log"), encoding: .utf8).split(separator: "\n")
        try #require(lines.count == 2)
        #expect(lines[0].contains("\"GET /small HTTP/1.1\" 200 2 \"-\" \"test\" ") && lines[0].hasSuffix(" complete"))
        #expect(lines[1].contains("GET /large?key=*** HTTP/1.1\" 200 ") && lines[1].hasSuffix(" left"))
        let sent = try #require(lines[1].split(separator: " ").dropFirst(9).first.flatMap { Int($0) })
        #expect(sent < size)
    }
}

@Suite struct `Limits of one address in a server` {
    private let ok = OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes([65, 66]))

    @Test func `a request above the limit gets a 429, and the first continues`() async throws {
        let (isWorking, mayFinish) = (Gate(), Gate())
        try await withServer(
            isPatient: true,
            threads: 4,
            queueLimit: 9,
            fairness: .init(allowance: .init(requests: 1)),
            { [ok] _, _ in
                isWorking.open()
                mayFinish.wait()
                return ok
            }
        ) { address in
            defer { mayFinish.open() }
            async let first = address.exchange("GET /work HTTP/1.1\r\nHost: x\r\n")
            try await blocking { isWorking.wait() }.value
            let refused = try await address.exchange("GET /work HTTP/1.1\r\nHost: x\r\n")
            #expect(refused.head.hasPrefix("HTTP/1.1 429 ") && refused.head.contains("\r\nRetry-After: 1\r\n"))
            let body = try JSONDecoder().decode([String: [String: String]].self, from: Data(refused.body))
            #expect(body["error"]?["code"] == "tooManyRequests")
            #expect(body["error"]?["message"]?.isEmpty == false)
            let head = try await address.exchange("HEAD /work HTTP/1.1\r\nHost: x\r\n")
            #expect(head.head.hasPrefix("HTTP/1.1 429 ") && head.body.isEmpty)
            mayFinish.open()
            #expect(try await first.body == [65, 66])
            #expect(try await address.exchange("GET /work HTTP/1.1\r\nHost: x\r\n").body == [65, 66])
        }
    }

    @Test func `a connection above the limit is closed`() async throws {
        try await withServer(fairness: .init(allowance: .init(connections: 1)), { [ok] _, _ in ok }) { address in
            let first = try await address.connection(sending: "")
            try await address.connection(sending: "").waitForClose()
            #expect(first.isActive)
            try await first.close()
        }
    }

    @Test func `the metrics are valid for Prometheus, with routes and limits`() async throws {
        let served = try ServedFolder()
        try await withServer(threads: 2, queueLimit: 9, { served.responder.respond(to: $0, cancellation: $1) }) {
            address in
            for target in ["/api/items", "/nothing", try served.url("song.mp3", "original"), "/k/SECRET/health"] {
                _ = try await address.exchange("GET \(target) HTTP/1.1\r\nHost: x\r\n")
            }
            let text = String(
                decoding: try await address.exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n").body,
                as: UTF8.self
            )
            #expect(try ExpositionCheck.problems(in: text) == [])
            for line in [
                "segue_http_requests_total{route=\"items\",status=\"200\"} 1",
                "segue_http_requests_total{route=\"none\",status=\"404\"} 1",
                "segue_http_requests_total{route=\"original\",status=\"200\"} 1",
                "segue_http_request_seconds_count{route=\"items\"} 1",
                "segue_http_request_seconds_bucket{route=\"items\",le=\"+Inf\"} 1",
                "segue_refused_total{what=\"request\",limit=\"rate\"} 0",
            ] {
                #expect(text.contains("\n\(line)\n"), "\(line)")
            }
            // Its own connection, and earlier ones whose end is not noticed yet.
            let open = text.split(separator: "\n").first { $0.hasPrefix("segue_connections ") }
            #expect(open?.split(separator: " ").last.flatMap { Int($0) }.map { (1...5).contains($0) } == true)
            let id = try served.item("song.mp3").id
            #expect(!text.contains("SECRET") && !text.contains(id))
        }
    }

    @Test func `a trickling body is disconnected`()
        async throws
    {
        try await withServer(idleTimeLimit: .seconds(1), { [ok] _, _ in ok }) { address in
            let text = "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\n"
            let client = try await address.connection(sending: text)
            let trickle = client.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(50)) { _ in
                client.writeAndFlush(ByteBuffer(string: "a"), promise: nil)
            }
            try await client.waitForClose()
            trickle.cancel()
        }
    }

    @Test func `a request with an oversized body is disconnected`() async throws {
        try await withServer(idleTimeLimit: .seconds(3600), { [ok] _, _ in ok }) { address in
            let text = "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n"
            try await address.connection(sending: text + String(repeating: "a", count: 2 << 20)).waitForClose()
        }
    }
}

/// Closes a connection when it receives data.
private final class ClosesWhenRead: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.close(promise: nil) }
}

/// The checks of `promtool check metrics` and of a scrape.
private enum ExpositionCheck {
    static func problems(in text: String) throws -> [String] {
        var problems: [String] = []
        var (types, seen, samples): ([String: String], [String], Set<String>) = ([:], [], [])
        if !text.hasSuffix("\n") { problems.append("the last line has no end") }
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
                let name = String(match.2)
                if match.1 == "TYPE" {
                    if types[name] != nil { problems.append("\(name) has two types") }
                    if !["counter", "gauge", "histogram"].contains(match.3) { problems.append("no type: \(line)") }
                    types[name] = String(match.3)
                }
                continue
            }
            guard
                let match = line.wholeMatch(
                    of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="[^"\\\n]*",?)*\})? (-?[0-9.]+)/
                )
            else {
                problems.append("no sample: \(line)")
                continue
            }
            var name = String(match.1)
            for suffix in ["_bucket", "_sum", "_count"] where types[String(name.dropLast(suffix.count))] == "histogram"
            {
                if name.hasSuffix(suffix) { name = String(name.dropLast(suffix.count)) }
            }
            if seen.last != name {
                if seen.contains(name) { problems.append("\(name) stands in two places") }
                seen.append(name)
            }
            guard let type = types[name] else {
                problems.append("\(name) has no type")
                continue
            }
            if type == "counter", !name.hasSuffix("_total") { problems.append("\(name) is a counter by another name") }
            if !samples.insert("\(match.1)\(match.2 ?? "")").inserted { problems.append("twice: \(line)") }
        }
        return problems
    }
}
