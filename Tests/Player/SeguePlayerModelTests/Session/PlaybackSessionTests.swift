import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Playback session` {
    private let title = Title(name: "movie", duration: 20)

    @Test func `an item plays to its end in virtual time`() throws {
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        #expect(rig.runner.run(until: Instant(seconds: 100)) == .idle)
        #expect(rig.session.isFinished)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(20))
        #expect(rig.trail.breaks.isEmpty)
        let metrics = rig.session.metrics(at: rig.loop.now)
        #expect(metrics.stalls == 0)
        #expect(metrics.background == nil)
        #expect(metrics.switchGap == nil)
        #expect(metrics.bytes == 1_199_621)
        let startup = try #require(metrics.startup)
        #expect(startup > .milliseconds(70) && startup < .milliseconds(80))
    }

    @Test func `only lasting states are announced`() throws {
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        let states = rig.kinds.compactMap { kind in
            if case .playerTimeControl(let status, let reason) = kind { "\(status) \(reason)" } else { nil }
        }
        #expect(states == ["waiting evaluatingBufferingRate", "playing ", "waiting noItemToPlay"])
    }

    @Test func `a silent server ends the run at once with the state of every part`() throws {
        let rig = Rig(platform: try Shipped.platform("ios-4.3"), app: try Shipped.app("switch-when-ready"), titles: [])
        rig.fetcher.isSilent = { _ in true }
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        #expect(rig.runner.run(until: Instant(seconds: 1_000_000)) == .idle)
        #expect(rig.loop.now <= Instant(seconds: 1))
        #expect(!rig.session.isFinished)
        let state = rig.session.stateDescription(at: rig.loop.now).text
        for part in ["item-1 unknown", "waiting evaluatingBufferingRate", "didBecomeActive", "1 request"] {
            #expect(state.contains(part), "\(state)")
        }
    }

    @Test func `a stall is counted and measured`() throws {
        let rig = Rig(
            platform: try Shipped.platform(
                "desktop",
                ["retries": "5", "retry-delay": "4 s", "retry-delay-limit": "4 s"]
            ),
            titles: [title],
            instead: { [count = Counter()] request in
                guard request.url.hasSuffix("full/1.ts") else { return nil }
                return count.next() < 3 ? (503, []) : nil
            }
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        let metrics = rig.session.metrics(at: rig.loop.now)
        #expect(metrics.stalls == 1)
        #expect(metrics.stalled > .seconds(5) && metrics.stalled < .seconds(7))
        #expect(metrics.longestStall == metrics.stalled)
        #expect(metrics.heard == .seconds(20))
        let item = try #require(rig.session.player.removed.first)
        #expect(item.journal.access.map(\.reason) == [.stall, .end])
        #expect(item.journal.errors.map(\.status) == [503, 503, 503])
    }

    @Test func `a policy that needs another player is unavailable, and nothing plays`() throws {
        let rig = Rig(
            platform: try Shipped.platform("ios-4.0"),
            app: try Shipped.app("switch-when-ready"),
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 1)
        rig.runner.run()
        #expect(rig.session.isUnavailable && rig.session.isFinished)
        #expect(rig.session.backgroundOutcome(at: rig.loop.now) == .unavailable)
        #expect(rig.kinds.map { $0.record.name } == ["app.unavailable"])
    }

    @Test func `an item without audio is played, and nothing is heard`() throws {
        let mute = Title(name: "mute", duration: 20, hasAudio: false)
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: [mute])
        rig.plan(.open([mute.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(rig.session.heard(at: rig.loop.now) == .zero)
        #expect(rig.session.played(at: rig.loop.now) == .seconds(20))
        #expect(rig.session.metrics(at: rig.loop.now).startup != nil)
    }
}

private final class Counter {
    private var count = 0

    func next() -> Int {
        defer { count += 1 }
        return count
    }
}
