import SegueBase
import SegueEvents
import SegueFetch
import Synchronization
import Testing

@testable import SegueSuite

@Suite struct ServerReliabilityTests {
    /// A log of requests with their statuses; 0 is a lost connection.
    private static func log(_ requests: [(url: String, status: Int)]) -> EventLog {
        var log = EventLog()
        for (number, request) in requests.enumerated() {
            let at = Instant(seconds: Double(number))
            log.append(.requestBegan(request: number, url: request.url, resource: ""), at: at)
            if request.status == 0 {
                log.append(.requestFailed(request: number, reason: "connectionLost", message: "reset"), at: at)
                continue
            }
            log.append(.requestAnswered(request: number, status: request.status), at: at)
            log.append(.requestFinished(request: number, bytes: 1, seconds: 0), at: at)
        }
        return log
    }

    @Test func `resources that load with a later request are a finding with their share`() throws {
        let log = Self.log([("a", 200), ("b", 404), ("c", 0), ("b", 200), ("c", 200), ("d", 200)])
        let finding = try #require(ServerReliability().findings(log).first)
        #expect(finding.rule == "second-try" && finding.at == 3 && !finding.isRemark)
        let words = "2 of 4 resources failed with the first request and loaded with a later one, such as b: "
        #expect(finding.message.text == words + "the server returned 404")
    }

    @Test(arguments: [
        [("a", 404), ("a", 200), ("b", 200)],
        // Without a later success, the failures are not intermittent.
        [("a", 404), ("a", 404), ("b", 0), ("b", 0)],
        // A busy server.
        [("a", 429), ("a", 200), ("b", 503), ("b", 200)],
    ])
    func `one coincidence, lasting failures, and a busy server are no finding`(requests: [(String, Int)]) {
        #expect(ServerReliability().findings(Self.log(requests.map { (url: $0.0, status: $0.1) })) == [])
    }

    @Test func `kept connections that lose requests are a remark`() throws {
        let reliability = ServerReliability()
        let passed = Mutex(0)
        let recipient = reliability.counting(for: FetchRecipient { _ in passed.withLock { $0 += 1 } })
        for number in 1...4 {
            var response = FetchResponse(status: 200, headers: [], url: "a", serverAddress: "")
            response.connection = ConnectionUse(kept: 1, lost: number == 1 ? 0 : 1)
            recipient.deliver(.response(FetchID(number), response))
        }
        #expect(passed.withLock { $0 } == 4)
        let finding = try #require(reliability.findings(EventLog()).first)
        #expect(finding.rule == "connections-lost" && finding.isRemark)
        #expect(finding.message.text.contains("a response to 3 of 4 requests on kept connections"))
    }
}
