import SegueBase
import SegueEvents
import Testing

@testable import SeguePlayerModel

@Suite struct `Background tasks` {
    /// An audio item whose app leaves the screen after 10 s, on a platform with tasks of 30 s.
    private func away(_ plan: [(SessionCommand, Double)]) throws -> Rig {
        let title = Title(name: "title", duration: 200, hasVideo: false)
        let rig = Rig(platform: try Shipped.platform("ios-15"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        for (command, seconds) in plan + [(.goHome, 10)] { rig.plan(command, at: seconds) }
        _ = rig.runner.run(until: Instant(seconds: 150))
        return rig
    }

    /// The first time of each phase.
    private func phases(_ plan: [(SessionCommand, Double)]) throws -> [String: Instant] {
        let phases = try away(plan).runner.log.events.compactMap { event in
            if case .platformLifecycle(let phase) = event.kind { (phase, event.at) } else { nil }
        }
        return Dictionary(phases) { first, _ in first }
    }

    /// The number of background tasks that the app got.
    private func tasks(_ plan: [(SessionCommand, Double)]) throws -> Int {
        try away(plan).kinds.count { if case .backgroundTaskBegan = $0 { true } else { false } }
    }

    @Test func `all background tasks share one time limit, which another task does not renew`() throws {
        let told = try phases([(.beginTask, 1), (.beginTask, 25)])
        #expect(told["backgroundTaskExpired"] == Instant(seconds: 40.3))
        #expect(told["suspended"] == Instant(seconds: 40.3))
        // No task is granted after the limit.
        #expect(try tasks([(.beginTask, 1), (.beginTask, 45)]) == 1)
    }

    @Test func `a suspended app gets no background task`() throws {
        #expect(try tasks([(.beginTask, 12)]) == 0)
        #expect(try tasks([(.beginTask, 11)]) == 1)
    }

    @Test func `an app runs until its last background task has ended`() throws {
        let told = try phases([(.beginTask, 1), (.beginTask, 12), (.endTask, 15), (.endTask, 30)])
        #expect(told["suspended"] == Instant(seconds: 30))
        // An excess end does not cancel the next task.
        let other = try phases([(.endTask, 1), (.beginTask, 2), (.endTask, 35)])
        #expect(other["suspended"] == Instant(seconds: 35))
        #expect(other["backgroundTaskExpired"] == nil)
    }

    @Test func `an app that plays nothing is suspended sooner than one that falls silent`() throws {
        #expect(try phases([])["suspended"] == Instant(seconds: 11.3))
        #expect(try phases([(.play, 0), (.pause, 9)])["suspended"] == Instant(seconds: 11.3))
        #expect(try phases([(.play, 0), (.pause, 20)])["suspended"] == Instant(seconds: 30))
        // An app that begins to play in time is treated like one that played.
        #expect(try phases([(.play, 11), (.pause, 20)])["suspended"] == Instant(seconds: 30))
    }

    @Test func `the time limit does not run while an app is audible`() throws {
        let told = try phases([(.play, 0), (.beginTask, 12), (.pause, 60)])
        #expect(told["backgroundTaskExpired"] == Instant(seconds: 90))
    }
}
