import Foundation
import SegueBase
import SegueConformance
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueLiveMonitor

@Suite struct AlertTests {
    private static let url = "http://h/a.m3u8"

    private static func finding(_ rule: Rule = LiveRules.news, at date: Double) -> StreamWatching.Finding {
        let broken = BrokenRule(rule: rule, place: Place(url: url, segment: 3), message: "it is late")
        return StreamWatching.Finding(stream: "http://h/", date: date, finding: LiveFinding(at: .zero, broken: broken))
    }

    @Test func `a rule that stays broken is one alert, which ends a minute after the last finding`() throws {
        var tracker = AlertTracker(.rfc)
        let begun = tracker.take(Self.finding(at: 1000))
        let first = try #require(begun)
        #expect(!first.isResolved)
        let labels = [
            "alertname": "live-news", "playlist": Self.url, "severity": "critical", "stream": "http://h/",
        ]
        #expect(first.labels == labels)
        let second = tracker.take(Self.finding(at: 1030))
        #expect(second == nil)
        let held: Set = [HeldCondition(rule: "live-news", playlist: Self.url)]
        let early = tracker.settle("http://h/", broken: [], at: 1089)
        let broken = tracker.settle("http://h/", broken: held, at: 1500)
        let other = tracker.settle("http://other/", broken: [], at: 1500)
        #expect((early + broken + other).isEmpty)
        let ended = tracker.settle("http://h/", broken: [], at: 1501)
        #expect(ended.map(\.isResolved) == [true] && ended.first?.ended == 1501)
        let later = tracker.settle("http://h/", broken: [], at: 1600)
        #expect(later.isEmpty)
        let again = tracker.take(Self.finding(at: 1700))
        #expect(again != nil)
    }

    @Test func `a finding that no text of the profile requires is no alert`() {
        var (tracker, apple) = (AlertTracker(.rfc), AlertTracker(.apple))
        let none = tracker.take(Self.finding(LiveRules.six, at: 0))
        #expect(none == nil)
        let alert = apple.take(Self.finding(LiveRules.six, at: 0))
        #expect(alert != nil)
    }

    @Test func `the end of a watch resolves the alerts of its stream that still fire`() throws {
        var tracker = AlertTracker(.rfc)
        _ = tracker.take(Self.finding(at: 1000))
        let other = tracker.end("http://other/", at: 1010)
        let alert = try #require(tracker.end("http://h/", at: 1020).first)
        #expect(other.isEmpty && alert.isResolved && alert.ended == 1020)
        let data = Data(AlertNotice(alert: alert).json.utf8)
        let body = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let entry = try #require((body["alerts"] as? [[String: Any]])?.first)
        #expect(entry["status"] as? String == "resolved")
        #expect(entry["endsAt"] as? String == "1970-01-01T00:17:00.000Z")
        let end = (entry["annotations"] as? [String: String])?["end"]
        #expect(end == "the watch ended; the rule may still be broken")
        #expect(tracker.end("http://h/", at: 1030).isEmpty)
    }

    @Test func `a watch that ends sends the end of its alerts`() async throws {
        let server = try LoopbackServer { _ in
            [.send(Array("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n".utf8))]
        }
        defer { server.stop() }
        let (statuses, arrived) = AsyncStream.makeStream(of: String.self)
        let sender = AlertSender(
            profile: .rfc,
            deliveries: [
                { notice in
                    arrived.yield(notice.status)
                    return nil
                }
            ],
            failed: { Issue.record("not delivered: \($0)") }
        )
        let url = server.url("/a.m3u8")
        let watching = Task {
            try await StreamWatching.run(StreamWatching.Settings([url]), alerts: sender, found: { _ in })
        }
        var received: [String] = []
        for await status in statuses {
            received.append(status)
            guard status == "firing" else { break }
            watching.cancel()
        }
        #expect(try await watching.value.count == 1)
        await sender.finish()
        #expect(received == ["firing", "resolved"])
    }

    @Test func `a notice has the form of Alertmanager's webhook`() throws {
        var tracker = AlertTracker(.rfc)
        let begun = tracker.take(Self.finding(at: 1_700_000_000.25))
        let settled = tracker.settle("http://h/", broken: [], at: 1_700_000_100).first
        let (alert, ended) = (try #require(begun), try #require(settled))
        let bodies = try [alert, ended].map { alert in
            let data = Data(AlertNotice(alert: alert).json.utf8)
            return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }
        #expect(bodies.map { $0["status"] as? String } == ["firing", "resolved"])
        #expect(bodies.allSatisfy { $0["version"] as? String == "4" })
        let entries = bodies.compactMap { ($0["alerts"] as? [[String: Any]])?.first }
        #expect(entries.map { $0["status"] as? String } == ["firing", "resolved"])
        #expect(entries.map { $0["startsAt"] as? String } == Array(repeating: "2023-11-14T22:13:20.250Z", count: 2))
        #expect(entries.map { $0["endsAt"] as? String } == ["0001-01-01T00:00:00Z", "2023-11-14T22:15:00.000Z"])
        #expect(Set(entries.compactMap { $0["fingerprint"] as? String }).count == 1)
        #expect((entries[0]["annotations"] as? [String: String])?["summary"] == "it is late")
    }

    @Test func `an alert is posted to the webhook, and the end waits for it`() async throws {
        let server = try LoopbackServer { _ in [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))] }
        defer { server.stop() }
        let sender = AlertSender(
            profile: .rfc,
            deliveries: [try AlertWebhook.delivery(to: server.url("/hook"))],
            failed: { Issue.record("not delivered: \($0)") }
        )
        sender.take(Self.finding(at: 1000))
        sender.take(Self.finding(at: 1001))
        await sender.finish()
        #expect(server.requests.filter { $0.hasPrefix("POST /hook ") }.count == 1)
    }

    @Test func `a failed delivery is reported, and the next one is tried`() async {
        let reasons = Mutex<[String]>([])
        let sender = AlertSender(
            profile: .rfc,
            deliveries: [{ _ in "no route" }, { notice in notice.status }],
            failed: { reason in reasons.withLock { $0.append(reason) } }
        )
        sender.take(Self.finding(at: 1000))
        await sender.finish()
        #expect(reasons.withLock { $0 } == ["no route", "firing"])
    }
}
