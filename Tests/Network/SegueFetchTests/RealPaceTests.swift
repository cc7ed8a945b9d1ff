import SegueBase
import SegueFetch
import Synchronization
import Testing

/// A run in virtual time against a server with a limit of requests per second of real time.
@Suite struct RealPaceTests {
    /// A clock that only waits advance.
    private final class Stopwatch: Sendable {
        private let time = Mutex(Duration.zero)
        var elapsed: Duration { time.withLock { $0 } }

        var clock: RealPace.Clock {
            RealPace.Clock(elapsed: { self.elapsed }, wait: { time in self.time.withLock { $0 += time } })
        }
    }

    private static func head(_ status: Int, _ headers: [(name: String, value: String)] = []) -> FetchResponse {
        FetchResponse(status: status, headers: headers, url: "http://server/", serverAddress: "", isLast: false)
    }

    private static func request(at seconds: Double) -> FetchRequest {
        var request = FetchRequest(id: FetchID(1), url: "http://server/")
        request.cameAt = Instant(seconds: seconds)
        return request
    }

    @Test func `a server is asked no faster than in real time once it refuses`() {
        let stopwatch = Stopwatch()
        let pace = RealPace(stopwatch.clock)
        var served: [Double] = []
        // One request a second, of which the first two may come at once.
        func serve(_ request: FetchRequest) -> FetchResponse {
            let now = stopwatch.elapsed.seconds
            guard Double(served.count) < now + 2 else { return Self.head(429, [("retry-after", "1")]) }
            served.append(now)
            return Self.head(200)
        }
        let statuses = (0..<20).map { pace.answer(Self.request(at: Double($0)), head: { $0 }, serve).status }
        #expect(statuses.allSatisfy { $0 == 200 })
        #expect(stopwatch.elapsed <= .seconds(19))
    }

    @Test func `a refusal that a player in real time receives as well counts`() {
        let stopwatch = Stopwatch()
        let pace = RealPace(stopwatch.clock)
        var asked = 0
        let answer = pace.answer(Self.request(at: 5), head: { $0 }) { _ in
            asked += 1
            return Self.head(503)
        }
        #expect(answer.status == 503)
        #expect(asked == 2)
        #expect(stopwatch.elapsed == .seconds(5))
        // The run is not ahead of real time now.
        #expect(pace.answer(Self.request(at: 5), head: { $0 }) { _ in Self.head(429) }.status == 429)
        #expect(stopwatch.elapsed == .seconds(5))
    }

    @Test func `runs that share a server wait as long as it requests, a few times`() {
        let stopwatch = Stopwatch()
        let pace = RealPace(stopwatch.clock, isShared: true)
        let answer = pace.answer(Self.request(at: 0), head: { $0 }) { _ in
            stopwatch.elapsed < .seconds(4) ? Self.head(429, [("retry-after", "2")]) : Self.head(200)
        }
        #expect(answer.status == 200)
        #expect(stopwatch.elapsed == .seconds(4))
        #expect(pace.answer(Self.request(at: 0), head: { $0 }) { _ in Self.head(429) }.status == 429)
        #expect(stopwatch.elapsed == .seconds(7))
        // A busy server without a time to wait is a server that is busy.
        #expect(pace.answer(Self.request(at: 0), head: { $0 }) { _ in Self.head(503) }.status == 503)
        #expect(stopwatch.elapsed == .seconds(7))
    }
}
