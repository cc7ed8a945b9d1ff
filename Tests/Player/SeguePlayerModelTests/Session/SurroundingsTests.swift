import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// Plays a title of 90 s with commands at given seconds.
private func play(
    _ platform: String,
    _ app: String?,
    changing changes: [String: String] = [:],
    line: Line = .wifi,
    until end: Double = 60,
    pausedAtEnd isPaused: Bool = false,
    _ commands: [(SessionCommand, Double)]
) throws -> Rig {
    let title = Title(name: "title", duration: 90)
    let rig = Rig(
        platform: try Shipped.platform(platform, changes),
        app: try app.map { try Shipped.app($0) },
        line: line,
        titles: [title]
    )
    rig.plan(.open([title.address]), at: 0)
    rig.plan(.play, at: 0)
    for (command, second) in commands { rig.plan(command, at: second) }
    if isPaused { rig.plan(.pause, at: end) }
    _ = rig.runner.run(until: Instant(seconds: end))
    return rig
}

@Suite struct `Effects of a device on a player` {
    @Test func `an interruption pauses, and the app resumes when it should`() throws {
        let rig = try play(
            "ios-12.2",
            "switch-when-ready",
            [(.interrupt, 10), (.play, 12), (.endInterruption(shouldResume: true), 20)]
        )
        #expect(rig.trail.stretches.map(\.reason) == ["interruption"])
        #expect(rig.trail.stretches.first?.ended == Instant(seconds: 10))
        #expect(rig.trail.runningSince == Instant(seconds: 20))
        #expect(
            rig.first { $0 == .platformLifecycle(phase: "interruptionEnded(shouldResume)") } == Instant(seconds: 20)
        )
    }

    @Test func `an app that should not resume stays paused`() throws {
        let rig = try play(
            "ios-12.2",
            "switch-when-ready",
            [(.interrupt, 10), (.endInterruption(shouldResume: false), 20)]
        )
        #expect(!rig.trail.isPlaying)
        #expect(rig.session.player.timeControl == .paused)
    }

    @Test func `a suspended app is notified of an interruption when it resumes`() throws {
        let title = Title(name: "title", duration: 90, hasVideo: false)
        let rig = Rig(
            platform: try Shipped.platform("ios-4.3", ["interruption-end": "withheld"]),
            app: try Shipped.app("switch-if-rate"),
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 10)
        rig.plan(.interrupt, at: 30)
        rig.plan(.endInterruption(shouldResume: true), at: 35)
        _ = rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.first { $0 == .platformLifecycle(phase: "suspended") } != nil)
        #expect(!rig.trail.isPlaying && rig.session.player.rate == 0)
        rig.plan(.comeBack, at: 45)
        _ = rig.runner.run(until: Instant(seconds: 50))
        #expect(rig.trail.runningSince == Instant(seconds: 45))
    }

    /// The audio heard after a call of a minute on a locked device, and the phases of the app during the call.
    private func afterCall(_ end: String, seed: UInt64 = 1) throws -> (isPlaying: Bool, phases: [String]) {
        let title = Title(name: "title", duration: 300, hasVideo: false)
        let rig = Rig(
            platform: try Shipped.platform("ios-15", ["interruption-end": end]),
            app: try Shipped.app("switch-when-ready"),
            seed: seed,
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.lock, at: 10)
        rig.plan(.interrupt, at: 30)
        rig.plan(.endInterruption(shouldResume: true), at: 90)
        _ = rig.runner.run(until: Instant(seconds: 120))
        let phases = rig.runner.log.events.compactMap { event -> String? in
            guard case .platformLifecycle(let phase) = event.kind, event.at >= Instant(seconds: 30) else { return nil }
            return phase
        }
        return (rig.trail.isPlaying, phases)
    }

    @Test func `the end of a call resumes a suspended app, or is withheld until it runs`() throws {
        let delivered = try afterCall("delivered")
        #expect(delivered.isPlaying)
        let end = "interruptionEnded(shouldResume)"
        #expect(delivered.phases == ["interruptionBegan", "suspended", "resumed", end])
        let withheld = try afterCall("withheld")
        #expect(!withheld.isPlaying)
        #expect(withheld.phases == ["interruptionBegan", "suspended", end])
        let seeded = try (1...16).map { try afterCall("seeded", seed: $0).isPlaying }
        #expect(Set(seeded) == [true, false])
    }

    @Test func `an app that does not play at the end of a call is suspended again`() throws {
        let title = Title(name: "title", duration: 300, hasVideo: false)
        let rig = Rig(
            platform: try Shipped.platform("ios-15", ["interruption-end": "delivered"]),
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.lock, at: 10)
        rig.plan(.interrupt, at: 30)
        rig.plan(.endInterruption(shouldResume: true), at: 90)
        _ = rig.runner.run(until: Instant(seconds: 120))
        let suspensions = rig.runner.log.events.filter { $0.kind == .platformLifecycle(phase: "suspended") }
        #expect(suspensions.map(\.at) == [Instant(seconds: 40), Instant(seconds: 100)])
    }

    @Test(arguments: 1...16 as ClosedRange<UInt64>)
    func `a recreated player resumes, whatever the order of notices`(seed: UInt64) throws {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(
            platform: try Shipped.platform("ios-4.0"),
            app: try Shipped.app("layer-trick"),
            seed: seed,
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.resetMediaServices, at: 10)
        _ = rig.runner.run(until: Instant(seconds: 30))
        #expect(rig.trail.isPlaying)
        #expect(!rig.session.isFinished)
    }

    @Test func `an item with video may start while the device is locked if locking pauses nothing`() throws {
        let titles = ["one", "two"].map { Title(name: $0, duration: 90) }
        for (platform, leave, plays) in [
            ("ios-12.2", .lock, true), ("ios-12.2", .goHome, false), ("ios-12.3", .lock, false),
        ] as [(String, SessionCommand, Bool)] {
            let rig = Rig(platform: try Shipped.platform(platform), titles: titles)
            rig.plan(.open(titles.map(\.address)), at: 0)
            rig.plan(.play, at: 0)
            rig.plan(leave, at: 10)
            rig.plan(.advance, at: 12)
            rig.plan(.play, at: 13)
            _ = rig.runner.run(until: Instant(seconds: 20))
            #expect(rig.trail.isPlaying == plays, "\(platform) \(leave)")
        }
    }

    @Test func `other programs do not stop playback on a desktop`() throws {
        let rig = try play(
            "desktop",
            "switch-when-ready",
            [(.interrupt, 10), (.endInterruption(shouldResume: false), 20)]
        )
        #expect(rig.trail.stretches.isEmpty && rig.trail.isPlaying)
    }

    @Test func `removing headphones pauses, plugging them in does not`() throws {
        let rig = try play(
            "ios-12.2",
            "switch-when-ready",
            [(.changeRoute(.headphones), 5), (.changeRoute(.speaker), 10)]
        )
        #expect(rig.trail.stretches.first?.ended == Instant(seconds: 10))
        #expect(rig.session.player.rate == 0)
        let kept = try play(
            "desktop",
            "switch-when-ready",
            [(.changeRoute(.headphones), 5), (.changeRoute(.speaker), 10)]
        )
        #expect(kept.trail.isPlaying)
    }

    @Test func `a queue player does not send video to AirPlay on 4 point 3`() throws {
        for (platform, hasVideo) in [("ios-4.3", false), ("ios-12.2", true)] {
            let rig = try play(platform, "switch-when-ready", [(.changeRoute(.airplay), 5)])
            #expect(rig.kinds.contains(.platformRoute(route: "airplay", hasPicture: hasVideo)))
            #expect(rig.trail.isPlaying)
        }
    }

    @Test func `a reset of the media services fails every item, and the app recreates the current one`() throws {
        let rig = try play("ios-12.2", "switch-when-ready", pausedAtEnd: true, [(.resetMediaServices, 10)])
        let failed = try #require(rig.session.player.removed.first)
        #expect(failed.isFailed)
        #expect(rig.trail.stretches.last?.ended == Instant(seconds: 60))
        let gap = try #require(rig.trail.breaks.first)
        #expect(gap.skipped == .zero)
        #expect(gap.silence < .seconds(1))
        let idle = try play("ios-12.2", nil, [(.resetMediaServices, 10)])
        #expect(idle.session.isFailed)
    }

    @Test func `after a reset, queued items are recreated as well`() throws {
        let titles = ["one", "two"].map { Title(name: $0, duration: 30) }
        let rig = Rig(
            platform: try Shipped.platform("ios-12.2"),
            app: try Shipped.app("switch-when-ready"),
            titles: titles
        )
        rig.plan(.open(titles.map(\.address)), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.resetMediaServices, at: 10)
        _ = rig.runner.run(until: Instant(seconds: 45))
        #expect(rig.session.player.items.map(\.url) == [titles[1].address.full])
        #expect(rig.trail.isPlaying && !rig.session.isFailed)
    }

    @Test func `attaching the layer skips a moment on platforms that do so`() throws {
        let commands: [(SessionCommand, Double)] = [(.detachLayer, 10), (.attachLayer, 20)]
        let rig = try play("ios-12.2", nil, pausedAtEnd: true, commands)
        let gap = try #require(rig.trail.breaks.first)
        #expect(gap.skipped == .milliseconds(100))
        #expect(gap.silence == .zero)
        #expect(try play("desktop", nil, pausedAtEnd: true, commands).trail.breaks.isEmpty)
    }

    @Test func `disabling video helps where only enabled video counts`() throws {
        for (platform, plays) in [("ios-4.2", false), ("ios-12.3", true)] {
            let rig = try play(platform, nil, [(.setVideoEnabled(false), 5), (.goHome, 10)])
            #expect(rig.trail.isPlaying == plays, "\(platform)")
        }
    }
}

@Suite struct `Settings of an app` {
    @Test(arguments: [("ios-12.3", 0.0, true), ("ios-12.3", 5, false), ("ios-4.3", 0, true), ("desktop", 0, false)])
    func `video can be disabled once the item is ready, and before only where the platform permits it`(
        platform: String,
        second: Double,
        isShown: Bool
    ) throws {
        let rig = try play(platform, nil, [(.setVideoEnabled(false), second)])
        #expect(rig.trail.isShown == isShown)
        let reasons = rig.kinds.compactMap { kind in
            if case .itemTrackUnchanged("item-1", let reason) = kind { reason } else { nil }
        }
        let reason = "its tracks are available when it is ready to play, and it is not ready yet"
        #expect(reasons == (isShown ? [reason] : []))
    }

    @Test func `play uses the default rate where there is one`() throws {
        for (platform, rate) in [("ios-15", 1.0), ("ios-16", 1.5), ("ios-26.4", 1.5)] {
            let rig = try play(platform, nil, [(.pause, 5), (.setDefaultRate(1.5), 6), (.play, 7)])
            #expect(rig.session.player.rate == rate)
        }
    }

    @Test func `a canceled seek leaves the playhead where it was`() throws {
        let rig = try play(
            "desktop",
            nil,
            line: .slow,
            pausedAtEnd: true,
            [(.seek(to: .seconds(80), toleranceBefore: .zero, toleranceAfter: .zero), 10), (.cancelSeeks, 10.5)]
        )
        let ended = rig.kinds.compactMap { if case .seekEnded(_, _, let isFinished) = $0 { isFinished } else { nil } }
        #expect(ended == [false])
        let gap = try #require(rig.trail.breaks.first)
        #expect(gap.skipped == .zero)
        #expect(rig.trail.stretches.last?.ended == Instant(seconds: 60))
    }

    @Test func `a seek before the item is ready is refused, deferred, or an exception`() throws {
        for (platform, changes, finished, exceptions) in [
            ("desktop", [:], [true], 0), ("desktop", ["seek-before-ready": "refused"], [false], 0),
            ("ios-12.2", [:], [true], 0), ("ios-12.2", ["seek-before-ready": "exception"], [false], 1),
            ("ios-10", [:], [false], 1),
        ] as [(String, [String: String], [Bool], Int)] {
            let seek = SessionCommand.seek(to: .seconds(40), toleranceBefore: .zero, toleranceAfter: .zero)
            let rig = try play(platform, nil, changing: changes, line: .slow, [(seek, 0.1)])
            #expect(rig.kinds.compactMap { if case .seekEnded(_, _, let done) = $0 { done } else { nil } } == finished)
            #expect(rig.kinds.count { if case .appException = $0 { true } else { false } } == exceptions)
        }
    }

    @Test func `the end of an item without an action pauses or runs on`() throws {
        for (value, rate) in [("pauses", 0.0), ("runs-on", 1)] {
            let seek = SessionCommand.seek(to: .seconds(80), toleranceBefore: .zero, toleranceAfter: .zero)
            let again = SessionCommand.seek(to: .seconds(50), toleranceBefore: .zero, toleranceAfter: .zero)
            let rig = try play(
                "desktop",
                nil,
                changing: ["end-without-action": value],
                [(.setActionAtItemEnd(.none), 1), (seek, 10), (again, 30)]
            )
            let ends = rig.runner.log.events.filter { if case .itemPlayedToEnd = $0.kind { true } else { false } }
            #expect(ends.count == 1)
            #expect(rig.session.player.rate == rate)
            // At the same rate, a seek suffices to continue.
            #expect(rig.trail.isPlaying == (rate == 1))
        }
    }

    @Test func `an item in the queue is refused, one that has left it is accepted`() throws {
        let again = SessionCommand.insertAgain(ItemID(1), after: nil)
        let rig = try play("desktop", nil, [(again, 5), (.advance, 6), (again, 7)])
        let refusals = rig.kinds.count { if case .queueRefused = $0 { true } else { false } }
        #expect(refusals == 1)
        #expect(rig.session.player.items.map(\.id) == [ItemID(1)])
        // It is in the queue only, so that its log appears once.
        #expect(rig.session.player.removed.isEmpty)
        let entries = rig.session.extendedAccessLog(at: rig.loop.now).split(separator: "\n").drop { $0.hasPrefix("#") }
        #expect(!entries.isEmpty && Set(entries).count == entries.count)
    }

    @Test func `a temporary failure shows on platforms that show it, and playback continues`() throws {
        for (shows, count) in [("true", 1), ("false", 0)] {
            let title = Title(name: "title", duration: 40)
            var misses = 1
            let rig = Rig(
                platform: try Shipped.platform("desktop", ["shows-passing-failure": shows]),
                titles: [title],
                instead: { request in
                    guard request.url.hasSuffix("full/4.ts"), misses > 0 else { return nil }
                    misses -= 1
                    return (404, [])
                }
            )
            rig.plan(.open([title.address]), at: 0)
            rig.plan(.play, at: 0)
            #expect(rig.runner.run() == .idle)
            #expect(rig.kinds.count { if case .itemShowsFailure = $0 { true } else { false } } == count)
            #expect(rig.trail.heard(at: rig.loop.now) == .seconds(40))
        }
    }
}
