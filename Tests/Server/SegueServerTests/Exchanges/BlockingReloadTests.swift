import HTTPTypes
import NIOCore
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SegueOriginTestSupport
import Testing

@testable import SegueServer

@Suite struct BlockingReloadTests {
    /// A blocking reload that is due at a time, in milliseconds since 1970.
    private static func held(until time: Int64) -> OriginResponse {
        var answer = OriginResponse(status: 503, headers: [.contentLength: "0"], body: .empty)
        answer.blockedUntil = time
        return answer
    }

    @Test func `a blocking reload is repeated when it is due`() async throws {
        let asked = Monitor(0)
        try await withServer({ _, _ in
            let count = asked.withLock { count in
                count += 1
                return count
            }
            // The time is past; the second time it is due a little later.
            if count < 3 { return Self.held(until: 1) }
            return OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes(Array("ok".utf8)))
        }) { address in
            let answer = try await address.exchange("GET / HTTP/1.1\r\nHost: x\r\n")
            #expect(answer.head.hasPrefix("HTTP/1.1 200") && answer.body == Array("ok".utf8))
            #expect(asked.withLock { $0 } == 3)
        }
    }

    /// The steps after which a response is due again, and the times until which it is held.
    private static let steps: [(Int64, [Int64])] = [
        (500, Array(stride(from: 1500, through: 31_000, by: 500))), (86_400_000, [31_000]),
        (7000, [8000, 15_000, 22_000, 29_000, 31_000]),
    ]

    @Test(arguments: steps)
    func `a blocking reload that is never due ends after 30 s`(step: Int64, ends: [Int64]) async {
        var now: Int64 = 1000
        var waits: [Int64] = []
        let response = await BlockingReload.settled(Self.held(until: now + step), now: { now }) { time in
            waits.append(time)
            now = time
        } again: {
            Self.held(until: now + step)
        }
        #expect(waits == ends)
        #expect(response.blockedUntil == 31_000 + step)
    }

    @Test func `a hundred waiting clients occupy no thread, and are cancelled when they disconnect`() async throws {
        let (asked, gone) = (Monitor(0), Monitor(0))
        let far = TimeText.now() + 86_400_000
        try await withServer(threads: 1, queueLimit: 1000) { request, cancellation in
            guard request.target == "/wait" else {
                return OriginResponse(status: 200, headers: [.contentLength: "2"], body: .bytes(Array("ok".utf8)))
            }
            _ = cancellation.whenCancelled { gone.withLock { $0 += 1 } }
            asked.withLock { $0 += 1 }
            return Self.held(until: far)
        } _: { address in
            var clients: [any Channel] = []
            for _ in 0..<100 {
                clients.append(try await address.connection(sending: "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n"))
            }
            try await blocking { asked.wait(for: { $0 == 100 }) }.value
            let answer = try await address.exchange("GET /other HTTP/1.1\r\nHost: x\r\n")
            #expect(answer.body == Array("ok".utf8))
            for client in clients { try await client.close() }
            try await blocking { gone.wait(for: { $0 == 100 }) }.value
        }
    }
}
