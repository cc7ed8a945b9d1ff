import Foundation
import HTTPTypes
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SegueTestSupport
import Testing

@testable import SegueServer

@Suite struct `Responses over a connection` {
    @Test func `a socket receives the responder's bytes`() async throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await withServer({ request, _ in
            #expect(request.target == "/items/a/b%20c?x=%31")
            #expect(request.headers[.hostField]?.hasPrefix("127.0.0.1:") == true)
            return OriginResponse(
                status: 200,
                headers: [.contentLength: "\(body.count)", .eTag: "\"x\""],
                body: .bytes(body)
            )
        }) { address in
            let answer = try await address.exchange("GET /items/a/b%20c?x=%31 HTTP/1.1\r\nHost: \(address)\r\n")
            #expect(answer.head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.body == body)
            for field in ["ETag: \"x\"", "Server: segue", "Date: "] { #expect(answer.head.contains("\r\n\(field)")) }
        }
    }

    @Test func `a response to HEAD has the length and no body`() async throws {
        try await withServer({ _, _ in
            OriginResponse(status: 200, headers: [.contentLength: "1234"], body: .empty)
        }) { address in
            let answer = try await address.exchange("HEAD / HTTP/1.1\r\nHost: x\r\n")
            #expect(answer.head.contains("\r\nContent-Length: 1234\r\n"))
            #expect(answer.body.isEmpty)
        }
    }

    @Test func `a 304 has neither length nor body`() async throws {
        try await withServer({ _, _ in OriginResponse(status: 304, headers: [.eTag: "\"x\""], body: .empty) }) {
            let answer = try await $0.exchange("GET /work HTTP/1.1\r\nHost: x\r\n")
            #expect(answer.head.hasPrefix("HTTP/1.1 304 "))
            #expect(!answer.head.lowercased().contains("content-length"))
            #expect(!answer.head.lowercased().contains("transfer-encoding"))
        }
    }

    @Test func `ranges of files are sent from the file`() async throws {
        let folder = try TestFolder()
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let path = try folder.write(bytes, to: "file")
        try await withServer({ _, _ in
            OriginResponse(
                status: 206,
                headers: [.contentLength: "700000"],
                body: .file(path: path, offset: 123_456, length: 700_000)
            )
        }) { address in
            let answer = try await address.exchange("GET /work HTTP/1.1\r\nHost: x\r\n")
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
                headers: [.contentLength: "600007"],
                body: .pieces([
                    .bytes(Array("one".utf8)), .file(path: path, offset: 900_000, length: 100_000),
                    .bytes(Array("two\n".utf8)), .file(path: path, offset: 5, length: 500_000),
                ])
            )
        }) { address in
            let answer = try await address.exchange("GET /work HTTP/1.1\r\nHost: x\r\n")
            let expected = Array("one".utf8) + bytes[900_000...] + Array("two\n".utf8) + bytes[5..<500_005]
            #expect(answer.body == expected)
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        try await withServer(
            threads: 2,
            queueLimit: 8,
            { request, _ in
                let body = Array("\(request.target);".utf8)
                return OriginResponse(status: 200, headers: [.contentLength: "\(body.count)"], body: .bytes(body))
            }
        ) { address in
            let requests = (0..<20).map { "GET /piped/\($0) HTTP/1.1\r\nHost: x\r\n" }.joined(separator: "\r\n")
            let answer = try await address.exchange(requests)
            let text = answer.head + String(decoding: answer.body, as: UTF8.self)
            let targets = text.matches(of: /\/piped\/([0-9]+);/).map { String($0.1) }
            #expect(targets == (0..<20).map(String.init))
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\nno colon here\r\n", "nonsense\r\n", "GET / HTTP/9\r\n"])
    func `malformed HTTP gets a 400 or no response, and the server continues`(nonsense: String) async throws {
        try await withServer({ _, _ in
            OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes([1, 2]))
        }) { address in
            let answer = try await address.exchange(nonsense)
            if !answer.head.isEmpty {
                #expect(answer.head.hasPrefix("HTTP/1.1 400 "))
                let lengths = answer.head.matches(of: /(?i)content-length: ([0-9]+)/).map { String($0.1) }
                #expect(lengths == ["\(answer.body.count)"])
                let body = try JSONDecoder().decode([String: [String: String]].self, from: Data(answer.body))
                #expect(body["error"]?["code"] == "badRequest")
                #expect(body["error"]?["message"]?.hasPrefix("the request is malformed: ") == true)
            }
            #expect(try await address.exchange("GET / HTTP/1.1\r\nHost: x\r\n").body == [1, 2])
        }
    }

    @Test(arguments: [
        "PUT /api/resume/x HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "PUT /api/resume/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n+0\r\n\r\n",
        "PUT /api/resume/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1ffffffffffffffff\r\n",
        "PUT /api/resume/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
    ])
    func `a request of ambiguous length is rejected with everything after it`(request: String) async throws {
        let asked = Monitor<[String]>([])
        try await withServer({ request, _ in
            asked.withLock { $0.append(request.target) }
            return OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes([1, 2]))
        }) { address in
            let answer = try await address.wholeExchange(request + "GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(answer.contains(" 400 Bad Request\r\n"), "\(answer)")
            #expect(
                answer.contains("the request is malformed")
                    && answer.components(separatedBy: " Bad Request\r\n").count == 2
            )
            #expect(asked.withLock { $0 } == [])
        }
    }
}
