import Foundation
import SegueBase
import SegueData
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// The policies in `examples/apps`, each with its purpose.
@Suite struct `Example policies` {
    @Test func `a sleep timer pauses after ten minutes, to the nanosecond, and once`() throws {
        let rig = try rig("sleep-timer", on: "desktop", [Title(name: "title", duration: 1500)])
        rig.plan(.play, at: 0)
        rig.plan(.play, at: 700)
        _ = rig.runner.run(until: Instant(seconds: 1000))
        #expect(rig.reacted.map(\.at) == [Instant(seconds: 600)])
        #expect(rig.reacted.map(\.words) == ["sleep: pause"])
        let ends = rig.trail.stretches.map(\.ended)
        #expect(ends == [Instant(seconds: 600)])
        #expect(rig.session.player.timeControl == .playing)
    }

    @Test func `after three failures of an item, the next one plays`() throws {
        let titles = ["bad", "good"].map { Title(name: $0, duration: 60) }
        let rig = try rig("next-after-failures", on: "desktop", titles) { request in
            request.url.contains("/bad/") ? (404, []) : nil
        }
        rig.plan(.play, at: 0)
        _ = rig.runner.run(until: Instant(seconds: 100))
        let again = "again: recreate the item, play"
        #expect(rig.reacted.map(\.words) == [again, again, "next: advance, play"])
        let failures = rig.runner.log.events.filter { if case .itemFailed = $0.kind { true } else { false } }
        try #require(failures.count == 3 && rig.reacted.count == 3)
        #expect(rig.reacted[0].at - failures[0].at == .seconds(1))
        #expect(rig.reacted[2].at == failures[2].at)
        #expect(rig.session.heard(at: rig.loop.now) == .seconds(60), "all of the good one")
    }

    @Test func `an item that loads on the third attempt stays`() throws {
        var refused = 2
        let titles = ["shy", "good"].map { Title(name: $0, duration: 60) }
        let rig = try rig("next-after-failures", on: "desktop", titles) { request in
            guard request.url.contains("/shy/full.m3u8"), refused > 0 else { return nil }
            refused -= 1
            return (404, [])
        }
        rig.plan(.play, at: 0)
        _ = rig.runner.run(until: Instant(seconds: 200))
        #expect(rig.reacted.map(\.words) == Array(repeating: "again: recreate the item, play", count: 2))
        #expect(rig.session.heard(at: rig.loop.now) == .seconds(120), "all of both")
    }

    @Test(arguments: [Line.wifi, Line.slow])
    func `it switches to the background rendition when ten seconds of it are buffered`(line: Line) throws {
        let rig = try rig("switch-when-buffered", on: "ios-15", [Title(name: "title", duration: 90)], line: line)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 30)
        rig.plan(.comeBack, at: 60)
        _ = rig.runner.run(until: Instant(seconds: 80))
        #expect(
            rig.reacted.map(\.words) == [
                "load: load the background rendition", "switch: switch to the background rendition",
            ]
        )
        let over = try #require(rig.reacted.last?.at)
        let loaded = rig.runner.log.events.compactMap { event in
            if case .segmentLoaded("item-2", _, _, _, let start, let length, _) = event.kind, event.at <= over {
                start + length
            } else {
                nil
            }
        }
        let position = try #require(rig.trail.stretches.first { $0.ended > over || $0.ended == over }).end
        #expect(try #require(loaded.last) - position.seconds >= 10)
        #expect((loaded.dropLast().last ?? 0) - position.seconds < 10)
        let metrics = rig.session.metrics(at: rig.loop.now)
        #expect(metrics.background == .continues)
        #expect(metrics.skippedAtSwitches == .zero && metrics.repeatedAtSwitches == .zero)
        #expect(
            rig.trail.stretches.compactMap { rig.session.rendition(of: $0.item) }.prefix(2) == [.full, .background]
        )
        #expect(rig.session.rendition == .full, "it is back in front")
    }

    private func rig(
        _ name: String,
        on platform: String,
        _ titles: [Title],
        line: Line = .wifi,
        instead: @escaping (FetchRequest) -> MemoryFetcher.Answer? = { _ in nil }
    ) throws -> Rig {
        let app = try AppProfile(
            contentsOfFile: Shipped.path("../examples/apps/\(name).yaml"),
            in: HarnessFolder(path: Shipped.path(""))
        )
        #expect(app.name == name)
        let rig = Rig(
            platform: try Shipped.platform(platform),
            app: app,
            line: line,
            titles: titles,
            instead: instead
        )
        rig.plan(.open(titles.map(\.address)), at: 0)
        return rig
    }
}
