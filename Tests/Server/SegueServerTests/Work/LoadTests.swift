import HTTPTypes
import NIOCore
import SegueOrigin
import SegueOriginTestSupport
import Testing

@testable import SegueServer

@Suite struct `A busy server` {
    /// Runs a test while the only worker is busy; one target responds with a text immediately.
    private func whileBusy(
        answering target: String,
        with text: String,
        _ body: (OriginServer.Address) async throws -> Void
    ) async throws {
        let (isWorking, mayFinish) = (Gate(), Gate())
        try await withServer(
            isPatient: true,
            { request, _ in
                if request.target == target {
                    let length: HTTPFields = [.contentLength: "\(text.utf8.count)"]
                    return OriginResponse(status: 200, headers: length, body: .bytes(Array(text.utf8)))
                }
                isWorking.open()
                mayFinish.wait()
                return OriginFailure.cancelled.response
            }
        ) { address in
            defer { mayFinish.open() }
            async let first = address.exchange("GET /work HTTP/1.1\r\nHost: x\r\n")
            try await blocking { isWorking.wait() }.value
            try await body(address)
            mayFinish.open()
            _ = try await first
        }
    }

    @Test func `health responds even if all workers are busy`() async throws {
        try await whileBusy(answering: "/health", with: "ok\n") { address in
            let health = try await address.exchange("GET /health HTTP/1.1\r\nHost: x\r\n")
            let text = String(decoding: health.body, as: UTF8.self)
            #expect(health.head.contains("\r\nContent-Length: \(health.body.count)\r\n"))
            #expect(text.hasPrefix("ok\n"))
            #expect(text.contains("\nquick: 1 of 1 workers busy, the longest for "))
        }
    }

    @Test func `metrics include the workers and the bytes being sent`() async throws {
        try await whileBusy(answering: "/metrics", with: "x 1\n") { address in
            let figures = try await address.exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n")
            let text = String(decoding: figures.body, as: UTF8.self)
            #expect(figures.head.contains("\r\nContent-Length: \(figures.body.count)\r\n"))
            #expect(text.hasPrefix("x 1\n# HELP segue_workers "))
            for line in [
                "segue_workers{lane=\"quick\"} 1", "segue_workers_busy{lane=\"quick\"} 1",
                "segue_workers_given_up{lane=\"background\"} 0", "segue_work_waiting{lane=\"slow\"} 0",
                "segue_sending_bytes 0", "segue_sending_held_bytes 0",
            ] {
                #expect(text.contains("\n\(line)\n"), "\(line)")
            }
        }
    }

    @Test func `stopping does not wait for hanging work`() async throws {
        let (isWorking, mayFinish) = (Gate(), Gate())
        defer { mayFinish.open() }
        var client: (any Channel)?
        try await withServer(
            isPatient: true,
            { _, _ in
                isWorking.open()
                mayFinish.wait()
                return OriginFailure.cancelled.response
            }
        ) { address in
            client = try await address.connection(sending: "GET /work HTTP/1.1\r\nHost: x\r\n\r\n")
            try await blocking { isWorking.wait() }.value
        }
        try? await client?.close()
    }

    @Test func `a request above the queue limit gets a 503`() async throws {
        let (isWorking, mayFinish) = (Gate(), Gate())
        let ok = OriginResponse(status: 200, headers: [.contentLength: "0"], body: .empty)
        try await withServer(
            isPatient: true,
            { _, _ in
                isWorking.open()
                mayFinish.wait()
                return ok
            }
        ) { address in
            defer { mayFinish.open() }
            async let first = address.exchange("GET /work HTTP/1.1\r\nHost: x\r\n")
            try await blocking { isWorking.wait() }.value
            let refused = try await address.exchange("GET /work HTTP/1.1\r\nHost: x\r\n")
            #expect(refused.head.hasPrefix("HTTP/1.1 503 "))
            #expect(refused.head.contains("\r\nRetry-After: 1\r\n"))
            mayFinish.open()
            #expect(try await first.head.hasPrefix("HTTP/1.1 200 "))
        }
    }
}
