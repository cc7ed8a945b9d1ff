import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// The behavior of a platform toward an app, with the differences from one that does nothing in the background.
private struct Meeting: Sendable, CustomTestStringConvertible {
    let platform: String
    var app: [String: String] = [:]
    var byLock = false
    let outcome: BackgroundOutcome?

    var testDescription: String {
        "\(platform), \(app.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")), \(byLock ? "lock" : "home")"
    }
}

private let detached = ["layer": "detach"]
private let late = ["layer": "detach-late"]
private let absent = ["layer": "none"]

/// The reports about each platform.
private let meetings: [Meeting] = [
    // Without background apps, leaving the app ends playback; locking the device does not leave the app.
    Meeting(platform: "ios-3.1", app: ["player": "movie-player"], outcome: .paused),
    Meeting(platform: "ios-3.2-ipad", app: ["player": "movie-player"], outcome: .paused),
    Meeting(platform: "ios-3.2-ipad", app: ["player": "movie-player"], byLock: true, outcome: nil),
    Meeting(platform: "ios-3.2-ipad", outcome: .unavailable),
    // Going home pauses when a layer is attached, locking does not.
    Meeting(platform: "ios-12.2", outcome: .paused), Meeting(platform: "ios-12.2", byLock: true, outcome: .continues),
    Meeting(platform: "ios-12.2", app: late, outcome: .continues),
    Meeting(platform: "ios-12.2", app: absent, outcome: .continues),
    // Home and lock both pause.
    Meeting(platform: "ios-12.3", outcome: .paused), Meeting(platform: "ios-12.3", byLock: true, outcome: .paused),
    Meeting(platform: "ios-12.3", app: late, byLock: true, outcome: .continues),
    // Detaching the layer in didEnterBackground is too late; in willResignActive it helps, but not for a lock.
    Meeting(platform: "ios-14.0", app: late, outcome: .paused),
    Meeting(platform: "ios-14.0", app: detached, outcome: .continues),
    Meeting(platform: "ios-14.0", app: detached, byLock: true, outcome: .paused),
    Meeting(platform: "ios-14.0", app: absent, byLock: true, outcome: .continues),
    // Fixed in 14.2; the policy of the app counts.
    Meeting(platform: "ios-15", app: detached, byLock: true, outcome: .continues),
    Meeting(platform: "ios-15", app: late, outcome: .paused), Meeting(platform: "ios-15", outcome: .paused),
    Meeting(platform: "ios-15", app: ["playback-policy": "pauses"], outcome: .paused),
    Meeting(platform: "ios-15", app: ["playback-policy": "continues-if-possible"], outcome: .continues),
    Meeting(platform: "ios-14.0", app: ["playback-policy": "continues-if-possible"], outcome: .paused),
    // For apps built with that SDK, neither policy pauses.
    Meeting(platform: "ios-26.4", outcome: .continues),
    Meeting(platform: "ios-26.4", app: ["playback-policy": "pauses"], byLock: true, outcome: .continues),
    // Before that version, and after it, the policies apply.
    Meeting(platform: "ios-26.2", outcome: .paused), Meeting(platform: "ios-27", outcome: .paused),
    Meeting(platform: "ios-27", app: ["playback-policy": "continues-if-possible"], outcome: .continues),
    // Until 12.2, going home pauses, locking does not.
    Meeting(platform: "ios-6", outcome: .paused), Meeting(platform: "ios-10", byLock: true, outcome: .continues),
    Meeting(platform: "ios-13", byLock: true, outcome: .paused),
    // The surface does not cause a pause; without a foreground service, the app is stopped after a while.
    Meeting(platform: "android-media3", outcome: .continues),
    Meeting(platform: "android-media3", app: ["foreground-service": "false"], outcome: .paused),
    Meeting(platform: "desktop", app: ["foreground-service": "false"], outcome: .continues),
    Meeting(platform: "desktop", byLock: true, outcome: .continues),
]

@Suite struct `Platforms` {
    @Test(arguments: meetings)
    fileprivate func `the reports about each follow from its fields`(meeting: Meeting) throws {
        let title = Title(name: "title", duration: 200)
        var nothing = ["switches": "never", "rest-of-queue": "keep"]
        nothing.merge(meeting.app) { $1 }
        let rig = Rig(
            platform: try Shipped.platform(meeting.platform),
            app: try Shipped.app("switch-if-rate", nothing),
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(meeting.byLock ? .lock : .goHome, at: 20)
        rig.plan(.comeBack, at: 120)
        _ = rig.runner.run(until: Instant(seconds: 150))
        #expect(rig.session.backgroundOutcome(at: rig.loop.now) == meeting.outcome, "\(rig.runner.log.jsonLines)")
        #expect(rig.session.isInForeground)
    }

    @Test(arguments: [("ios-16", "item-1"), ("ios-18.4", "item-2"), ("ios-26.4", "item-2"), ("ios-27", "item-2")])
    func `a failed item leaves the queue from 18 point 4 on`(platform: String, current: String) throws {
        let title = Title(name: "title", duration: 60)
        let rig = Rig(platform: try Shipped.platform(platform), titles: [title])
        rig.plan(.open([ItemAddress(full: "http://origin/none.m3u8"), title.address]), at: 0)
        rig.plan(.play, at: 0)
        _ = rig.runner.run(until: Instant(seconds: 30))
        #expect(rig.session.player.current?.id.description == current)
        #expect(rig.trail.isPlaying == (current == "item-2"))
    }

    @Test func `leaving an app terminates it on platforms without background apps, and it returns with an empty queue`()
        throws
    {
        let title = Title(name: "title", duration: 200)
        let rig = Rig(platform: try Shipped.platform("ios-3.1"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 20)
        rig.plan(.comeBack, at: 30)
        rig.plan(.play, at: 31)
        _ = rig.runner.run(until: Instant(seconds: 60))
        let phases = rig.kinds.compactMap { if case .platformLifecycle(let phase) = $0 { phase } else { nil } }
        #expect(phases == ["willResignActive", "terminated", "didBecomeActive"])
        #expect(rig.session.player.items.isEmpty)
        #expect(rig.session.player.timeControl == .waiting(.noItemToPlay))
        #expect(rig.trail.stretches.last?.ended == Instant(seconds: 20.3))
    }

    @Test(arguments: [
        ("ios-4.0", "switch-if-rate", BackgroundOutcome.unavailable), ("ios-4.1", "switch-if-rate", .continues),
        ("ios-4.1", "layer-trick", .continues), ("ios-4.2", "layer-trick", .paused),
    ])
    func `4 point 1 has a queue player, and the layer trick works there`(
        platform: String,
        app: String,
        outcome: BackgroundOutcome
    ) throws {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(platform: try Shipped.platform(platform), app: try Shipped.app(app), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 20)
        _ = rig.runner.run(until: Instant(seconds: 50))
        #expect(rig.session.backgroundOutcome(at: rig.loop.now) == outcome)
    }

    @Test func `a movie player created just after another was torn down fails from 4 point 2 on`() throws {
        for (platform, outcome) in [("ios-4.1", BackgroundOutcome.continues), ("ios-4.2", .rejected)] {
            let title = Title(name: "title", duration: 90)
            let rig = Rig(
                platform: try Shipped.platform(platform),
                app: try Shipped.app("switch-if-rate", ["player": "movie-player"]),
                titles: [title]
            )
            rig.plan(.open([title.address]), at: 0)
            rig.plan(.play, at: 0)
            rig.plan(.goHome, at: 20)
            rig.plan(.comeBack, at: 50)
            _ = rig.runner.run(until: Instant(seconds: 55))
            #expect(rig.session.backgroundOutcome(at: rig.loop.now) == outcome)
        }
    }

    @Test func `on Android, playback resumes with two seconds and starts with one`() throws {
        let title = Title(name: "title", duration: 40, segmentDuration: 0.5)
        let rig = Rig(
            platform: try Shipped.platform("android-media3"),
            line: Line(delay: .milliseconds(10), bitsPerSecond: 400_000),
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        _ = rig.runner.run(until: Instant(seconds: 120))
        let stalls = rig.trail.stretches.filter { $0.reason == "stall" }
        #expect(stalls.count > 2)
        let first = try #require(rig.trail.stretches.first)
        // A segment is 30,000 bytes, which take 620 ms with the delays; the playlist comes before them.
        #expect(first.began > Instant(seconds: 1.24) && first.began < Instant(seconds: 1.4))
        for stall in stalls {
            guard let next = rig.trail.stretches.first(where: { $0.began > stall.ended }) else { continue }
            // Four segments of half a second, the first of them in flight.
            #expect(next.began - stall.ended > .seconds(1.86) && next.began - stall.ended < .seconds(2.49))
        }
    }
}
