import SegueBase
import SegueConformance
import SegueFetch
import Synchronization
import Testing

@Suite struct ReliabilityTests {
    /// A stage that fails every second request for some resources, beginning with the first.
    private static func stage(
        failing kind: Stage.Kind = .plain,
        _ fails: @escaping @Sendable (Stage.Exchange) -> Bool
    ) -> Stage {
        let failed = Mutex<Set<String>>([])
        var stage = Stage(kind: kind)
        stage.change = { exchange in
            let url = exchange.url
            guard fails(exchange) else { return }
            let isFirst = failed.withLock { $0.insert(url).inserted || $0.remove(url) == nil }
            if isFirst { exchange.status = 502 }
        }
        return stage
    }

    @Test func `segments that load with the second request are found with their share`() throws {
        // Segments 100 and later are listed by the watch; every third fails first.
        let stage = Self.stage { $0.segment.map { $0 % 3 == 0 } ?? false }
        let findings = stage.watch(for: 130).findings.filter { $0.broken.rule.id == "resolves-first" }
        let message = try #require(findings.first).broken.message.text
        let words = "segments failed with the first request and succeeded later"
        #expect(message.hasPrefix("3 of ") && message.hasSuffix(words))
        #expect(findings.count == 1)
    }

    @Test func `playlists that load with the second request are found with their share`() throws {
        let stage = Self.stage { $0.playlist != nil }
        let (watch, findings, _) = stage.watch(for: 130)
        let found = try #require(findings.first { $0.broken.rule.id == "resolves-first" })
        let words = "loads of the playlist failed with the first request and succeeded later"
        #expect(found.broken.message.text.hasPrefix("3 of ") && found.broken.message.text.hasSuffix(words))
        #expect(watch.broken.contains(HeldCondition(rule: "resolves-first", playlist: stage.url)))
    }

    @Test func `two late resources and an outage are no pattern`() {
        let late = Self.stage { $0.segment.map { [103, 110].contains($0) } ?? false }
        #expect(late.watch(for: 130).findings.allSatisfy { $0.broken.rule.id != "resolves-first" })
        var outage = Stage(kind: .plain)
        outage.change = { if $0.at > 40, $0.at < 60 { $0.status = 502 } }
        #expect(outage.watch(for: 200).findings.allSatisfy { $0.broken.rule.id != "resolves-first" })
    }

    @Test func `kept connections that lose requests are found once, with the share`() throws {
        var stage = Stage(kind: .plain)
        stage.change = { $0.connection = ConnectionUse(kept: 1, lost: $0.segment == nil ? 0 : 1) }
        let (watch, findings, _) = stage.watch(for: 130)
        let found = findings.filter { $0.broken.rule.id == "connections-kept" }
        #expect(found.count == 1)
        let message = try #require(found.first).broken.message.text
        #expect(message.hasPrefix("the server closed the connection without a response to 3 of "))
        #expect(watch.figures.text.contains("requests on kept connections repeated; "))
        #expect(watch.broken.contains(HeldCondition(rule: "connections-kept", playlist: stage.url)))
        stage.change = { $0.connection = ConnectionUse(kept: 1, lost: $0.segment == 103 ? 1 : 0) }
        let rare = stage.watch(for: 130)
        #expect(rare.findings == [] && rare.watch.figures.connection.lost == 1)
    }
}
