import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// Plays a title, goes home after 30 s, and returns after 20 s.
private func run(
    platform: String,
    app: String,
    line: Line,
    hasVideo: Bool = true,
    seed: UInt64 = 1
) throws -> Rig {
    let title = Title(name: "title", duration: 90, hasVideo: hasVideo)
    let rig = Rig(
        platform: try Shipped.platform(platform),
        app: try Shipped.app(app),
        line: line,
        seed: seed,
        titles: [title]
    )
    rig.plan(.open([title.address]), at: 0)
    rig.plan(.play, at: 0)
    rig.plan(.goHome, at: 30)
    rig.plan(.comeBack, at: 50)
    #expect(rig.runner.run(until: Instant(seconds: 80)) != .stopped)
    return rig
}

/// The outcomes in the article for five policies on three platforms, on Wi-Fi and on 3G.
private let history:
    [(app: String, platform: String, hasVideo: Bool, wifi: BackgroundOutcome, slow: BackgroundOutcome)] = [
        ("layer-trick", "ios-4.0", true, .continues, .continues),
        ("layer-trick", "ios-4.0", false, .continues, .continues),
        ("layer-trick", "ios-4.2", true, .paused, .paused),
        ("layer-trick", "ios-4.2", false, .continues, .continues),
        ("layer-trick", "ios-4.3", true, .paused, .paused),
        ("layer-trick", "ios-4.3", false, .paused, .paused),
        ("switch-if-rate", "ios-4.0", true, .unavailable, .unavailable),
        ("switch-if-rate", "ios-4.2", true, .continues, .continues),
        ("switch-if-rate", "ios-4.2", false, .continues, .continues),
        ("switch-if-rate", "ios-4.3", true, .paused, .paused),
        ("switch-if-rate", "ios-4.3", false, .paused, .paused),
        ("switch-if-was-playing", "ios-4.0", true, .unavailable, .unavailable),
        ("switch-if-was-playing", "ios-4.2", true, .continues, .continues),
        ("switch-if-was-playing", "ios-4.2", false, .continues, .continues),
        ("switch-if-was-playing", "ios-4.3", true, .continues, .rejected),
        ("switch-if-was-playing", "ios-4.3", false, .paused, .paused),
        ("switch-and-resume-audio", "ios-4.0", true, .unavailable, .unavailable),
        ("switch-and-resume-audio", "ios-4.2", true, .continues, .continues),
        ("switch-and-resume-audio", "ios-4.2", false, .continues, .continues),
        ("switch-and-resume-audio", "ios-4.3", true, .continues, .rejected),
        ("switch-and-resume-audio", "ios-4.3", false, .continues, .continues),
        ("switch-when-ready", "ios-4.0", true, .unavailable, .unavailable),
        ("switch-when-ready", "ios-4.2", true, .continues, .continues),
        ("switch-when-ready", "ios-4.2", false, .continues, .continues),
        ("switch-when-ready", "ios-4.3", true, .continues, .continues),
        ("switch-when-ready", "ios-4.3", false, .continues, .continues),
    ]

@Suite struct `The background` {
    @Test(arguments: history)
    func `the outcomes in the article follow from the mechanisms`(
        row: (app: String, platform: String, hasVideo: Bool, wifi: BackgroundOutcome, slow: BackgroundOutcome)
    ) throws {
        for (line, outcome) in [(Line.wifi, row.wifi), (Line.slow, row.slow)] {
            let rig = try run(platform: row.platform, app: row.app, line: line, hasVideo: row.hasVideo)
            let found = rig.session.backgroundOutcome(at: rig.loop.now)
            #expect(found == outcome, "\(line)\n\(rig.runner.log.jsonLines)")
        }
    }

    @Test(arguments: ["switch-if-was-playing", "switch-and-resume-audio"])
    func `a sweep of the delay has one threshold between continuing and being rejected`(app: String) throws {
        var outcomes: [BackgroundOutcome?] = []
        for delay in stride(from: 0, through: 400, by: 10) {
            let line = Line(delay: .milliseconds(delay), bitsPerSecond: 8_000_000)
            let rig = try run(platform: "ios-4.3", app: app, line: line)
            outcomes.append(rig.session.backgroundOutcome(at: rig.loop.now))
        }
        #expect(outcomes.first == .continues)
        #expect(outcomes.last == .rejected)
        let changes = outcomes.indices.dropFirst().count { outcomes[$0] != outcomes[$0 - 1] }
        #expect(changes == 1)
    }

    @Test(arguments: [("ios-4.2", false), ("ios-4.3", true)])
    func `a song after a cancelled film is rejected on 4 point 3, on Wi-Fi as well`(
        platform: String,
        isRejected: Bool
    ) throws {
        let film = Title(name: "film", duration: 90), song = Title(name: "song", duration: 90, hasVideo: false)
        let rig = Rig(platform: try Shipped.platform(platform), line: .wifi, titles: [film, song])
        rig.plan(.open([film.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 10)
        for command in [SessionCommand.removeAll, .insert(song.address, after: nil), .play] {
            rig.plan(command, at: 15)
        }
        _ = rig.runner.run(until: Instant(seconds: 20))
        let rejections = rig.runner.log.events.filter { if case .platformRejected = $0.kind { true } else { false } }
        #expect(rejections.count == (isRejected ? 1 : 0))
        #expect((rig.session.player.timeControl == .playing) != isRejected)
    }

    @Test func `a task held until the audio is audible survives slower links than one held until ready`() throws {
        var outcomes: [(ready: BackgroundOutcome?, audible: BackgroundOutcome?)] = []
        for kilobits in stride(from: 100.0, through: 800, by: 25) {
            let line = Line(delay: .milliseconds(100), bitsPerSecond: kilobits * 1000)
            let rigs = try ["switch-when-ready", "switch-until-audible"].map {
                try run(platform: "ios-4.3", app: $0, line: line)
            }
            let found = rigs.map { $0.session.backgroundOutcome(at: $0.loop.now) }
            outcomes.append((found[0], found[1]))
        }
        #expect(outcomes.allSatisfy { $0.ready != .continues || $0.audible == .continues })
        #expect(outcomes.contains { $0.ready != .continues && $0.audible == .continues }, "\(outcomes)")
        #expect(outcomes.last?.ready == .continues)
    }

    @Test func `the task held until the audio is audible ends when the new item plays`() throws {
        let rig = try run(platform: "ios-4.3", app: "switch-until-audible", line: .slow)
        let events = rig.runner.log.events
        let began = try #require(events.first { if case .backgroundTaskBegan = $0.kind { true } else { false } }).at
        let ended = try #require(events.first { if case .backgroundTaskEnded = $0.kind { true } else { false } }).at
        let plays = events.first { event in
            if case .playerTimeControl("playing", _) = event.kind { event.at > began } else { false }
        }
        #expect(ended == plays?.at)
    }

    @Test func `a pause by the user ends the task held until the audio is audible`() throws {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(
            platform: try Shipped.platform("ios-4.3"),
            app: try Shipped.app("switch-until-audible"),
            line: Line(delay: .milliseconds(100), bitsPerSecond: 50_000),
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 60)
        rig.plan(.pause, at: 62)
        _ = rig.runner.run(until: Instant(seconds: 80))
        let ended = rig.runner.log.events.first { if case .backgroundTaskEnded = $0.kind { true } else { false } }
        #expect(ended?.at == Instant(seconds: 62))
    }

    @Test func `the same seed gives the same log`() throws {
        let logs = try [1, 1, 2].map { seed in
            try run(platform: "ios-4.3", app: "switch-when-ready", line: .slow, seed: seed).runner.log.jsonLines
        }
        #expect(logs[0] == logs[1])
        #expect(!logs[2].isEmpty)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `no order of simultaneous notices changes the outcome`(seed: UInt64) throws {
        let rig = try run(platform: "ios-4.3", app: "switch-when-ready", line: .slow, seed: seed)
        #expect(rig.session.backgroundOutcome(at: rig.loop.now) == .continues)
    }

    @Test func `a switch costs about a second on Wi-Fi, and more on a slow link`() throws {
        let gaps = try [Line.wifi, .slow].map { line in
            let rig = try run(platform: "ios-4.3", app: "switch-when-ready", line: line)
            return try #require(rig.trail.breaks.first { $0.reason == "platform" }).silence
        }
        #expect(gaps[0] > .milliseconds(900) && gaps[0] < .milliseconds(1500))
        #expect(gaps[1] > .seconds(2))
    }

    @Test func `nothing is skipped or repeated at a switch`() throws {
        let rig = try run(platform: "ios-4.3", app: "switch-when-ready", line: .slow)
        let metrics = rig.session.metrics(at: rig.loop.now)
        #expect(metrics.skippedAtSwitches == .zero)
        #expect(metrics.repeatedAtSwitches == .zero)
        let items = Set(rig.trail.stretches.map(\.item))
        #expect(items.count == 2)
    }

    @Test func `the return switches to the full rendition and continues playback`() throws {
        let rig = try run(platform: "ios-4.3", app: "switch-when-ready", line: .wifi)
        #expect(rig.session.rendition == .full)
        #expect(rig.session.player.timeControl == .playing)
    }

    @Test func `the rate reads 0 in didEnterBackground on 4 point 3, and is unchanged on 4 point 2`() throws {
        for (name, rate) in [("ios-4.2", 1.0), ("ios-4.3", 0)] {
            let title = Title(name: "title", duration: 90)
            let rig = Rig(platform: try Shipped.platform(name), titles: [title])
            rig.plan(.open([title.address]), at: 0)
            rig.plan(.play, at: 0)
            rig.plan(.goHome, at: 10)
            _ = rig.runner.run(until: Instant(seconds: 10.35))
            #expect(rig.session.player.rate == rate)
            #expect(rig.session.player.timeControl == .paused)
        }
    }

    @Test func `a return before the background item is ready continues with the full one`() throws {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(
            platform: try Shipped.platform("ios-4.3"),
            app: try Shipped.app("switch-when-ready"),
            line: .slow,
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 30)
        rig.plan(.comeBack, at: 30.5)
        rig.plan(.goHome, at: 31.5)
        rig.plan(.comeBack, at: 60)
        _ = rig.runner.run(until: Instant(seconds: 80))
        #expect(rig.session.stays.count == 2)
        #expect(rig.session.rendition == .full)
        #expect(rig.session.player.timeControl == .playing)
        let heard = rig.trail.stretches.compactMap { rig.session.rendition(of: $0.item) }
        #expect(heard == [.full, .background])
    }

    @Test func `the user's commands in the background are not reverted on return`() throws {
        let title = Title(name: "title", duration: 90, hasVideo: false)
        let rig = Rig(
            platform: try Shipped.platform("ios-4.2"),
            app: try Shipped.app("switch-when-ready"),
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 10)
        rig.plan(.pause, at: 15)
        rig.plan(.comeBack, at: 18)
        _ = rig.runner.run(until: Instant(seconds: 30))
        #expect(rig.session.player.timeControl == .paused)
    }

    @Test func `starting video in the background is rejected`() throws {
        let title = Title(name: "title", duration: 90)
        let other = Title(name: "other", duration: 90)
        let rig = Rig(platform: try Shipped.platform("ios-4.2"), titles: [title, other])
        rig.plan(.open([title.address, other.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 10)
        rig.plan(.advance, at: 12)
        _ = rig.runner.run(until: Instant(seconds: 15))
        #expect(rig.session.isFailed)
        #expect(rig.session.backgroundOutcome(at: rig.loop.now) == .rejected)
    }

    @Test func `resuming video in the background leaves it paused`() throws {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(platform: try Shipped.platform("ios-4.2"), titles: [title])
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 10)
        rig.plan(.play, at: 12)
        _ = rig.runner.run(until: Instant(seconds: 15))
        #expect(!rig.session.isFailed)
        #expect(rig.session.player.timeControl == .paused)
    }

    @Test func `an app without audible media is suspended, and notified on return`() throws {
        let rig = try run(platform: "ios-4.3", app: "switch-if-rate", line: .wifi)
        let phases = rig.kinds.compactMap { kind in
            if case .platformLifecycle(let phase) = kind { phase } else { nil }
        }
        #expect(
            phases == [
                "willResignActive", "mediaSuspended", "didEnterBackground", "suspended", "resumed",
                "willEnterForeground", "didBecomeActive",
            ]
        )
        #expect(rig.session.player.timeControl == .playing)
    }

    @Test func `a background task is held until the item is ready`() throws {
        let rig = try run(platform: "ios-4.3", app: "switch-when-ready", line: .slow)
        let began = try #require(rig.first { if case .backgroundTaskBegan = $0 { true } else { false } })
        let ended = try #require(rig.first { if case .backgroundTaskEnded = $0 { true } else { false } })
        #expect(began == Instant(seconds: 30.3))
        #expect(ended > began + .seconds(1))
    }

    @Test func `a background task that is held too long expires, and the app is suspended`() throws {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(
            platform: try Shipped.platform("ios-4.3", ["background-task-limit": "12 s"]),
            app: try Shipped.app("switch-when-ready"),
            titles: [title]
        )
        rig.fetcher.isSilent = { $0.url.hasSuffix("background.m3u8") }
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 10)
        _ = rig.runner.run(until: Instant(seconds: 60))
        #expect(rig.first { if case .backgroundTaskExpired = $0 { true } else { false } } == Instant(seconds: 22.3))
        #expect(rig.first { $0 == .platformLifecycle(phase: "suspended") } == Instant(seconds: 22.3))
        #expect(rig.session.backgroundOutcome(at: rig.loop.now) == .paused)
    }

    // MARK: Requests in advance

    /// An item with video that is played at once, whose tracks arrive when the app has left the screen.
    private func unknown(_ plan: [(SessionCommand, Double)]) throws -> Rig {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(platform: try Shipped.platform("ios-4.3"), line: .slow, titles: [title])
        rig.plan(.open([title.address]), at: 0)
        for (command, seconds) in [(.play, 0), (.goHome, 1)] + plan { rig.plan(command, at: seconds) }
        _ = rig.runner.run(until: Instant(seconds: 10))
        let known = try #require(rig.first { if case .itemTracksKnown = $0 { true } else { false } })
        #expect(known > Instant(seconds: 2))
        return rig
    }

    @Test func `a paused item that turns out to have video is not rejected in the background`() throws {
        // The platform pauses it, or its user did before.
        for plan in [[], [(SessionCommand.pause, 0.7)]] {
            let rig = try unknown(plan)
            #expect(!rig.session.isFailed)
            #expect(rig.kinds.contains(.platformBelief(item: "item-1", hasVideo: true)))
        }
    }

    @Test func `a playing item that turns out to have video is rejected in the background`() throws {
        #expect(try unknown([(.play, 2)]).session.isFailed)
    }
}
