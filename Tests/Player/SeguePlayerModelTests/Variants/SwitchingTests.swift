import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// Plays titles, goes home, and returns.
private func away(
    _ platform: String,
    _ app: AppProfile,
    line: Line = .wifi,
    titles: [Title] = [Title(name: "title", duration: 90)],
    from leaving: Double = 30.5,
    until coming: Double = 50,
    end: Double = 80,
    platformChanges: [String: String] = [:]
) throws -> Rig {
    let rig = Rig(platform: try Shipped.platform(platform, platformChanges), app: app, line: line, titles: titles)
    rig.plan(.open(titles.map(\.address)), at: 0)
    rig.plan(.play, at: 0)
    rig.plan(.goHome, at: leaving)
    rig.plan(.comeBack, at: coming)
    rig.plan(.pause, at: end)
    #expect(rig.runner.run(until: Instant(seconds: end)) != .stopped)
    return rig
}

extension Rig {
    /// The decisions in the log, in order.
    fileprivate var decisions: [String] {
        kinds.compactMap { if case .appDecided(_, let decision, _) = $0 { decision } else { nil } }
    }

    fileprivate func requests(from: Instant, to: Instant) -> [String] {
        runner.log.events.filter { $0.at > from && $0.at < to }.compactMap {
            if case .requestBegan(_, let url, _) = $0.kind { url } else { nil }
        }
    }
}

@Suite struct `Switching` {
    @Test(arguments: [Line.wifi, Line.slow])
    func `a switch to a preloaded item needs no network`(line: Line) throws {
        let rig = try away("ios-4.3", try Shipped.app("switch-preloaded"), line: line)
        let metrics = rig.session.metrics(at: rig.loop.now)
        #expect(metrics.background == .continues)
        #expect(metrics.skippedAtSwitches == .zero)
        #expect(metrics.repeatedAtSwitches == .zero)
        // Paused 0.1 s after leaving, switched after 0.3 s, plus a second of the media service.
        let gap = try #require(rig.trail.breaks.first { $0.reason == "platform" })
        #expect(gap.silence >= .milliseconds(1_199) && gap.silence <= .milliseconds(1_201))
        let asked = rig.requests(from: Instant(seconds: 30.5), to: gap.after.began)
        #expect(asked.allSatisfy { !$0.contains(".m3u8") }, "\(asked)")
    }

    @Test func `audio continues until the full rendition is loaded again`() throws {
        let rig = try away("ios-4.3", try Shipped.app("switch-preloaded"), line: .slow)
        #expect(rig.session.rendition == .full)
        #expect(
            rig.decisions == [
                "switch to the background rendition", "load the full rendition", "switch to the full rendition",
            ]
        )
        // A second of the media service, and none of the network.
        let back = try #require(rig.trail.breaks.last)
        #expect(back.silence >= .milliseconds(999) && back.silence <= .milliseconds(1001))
        #expect(back.skipped == .zero)
        #expect(back.after.began > Instant(seconds: 51.5))
    }

    @Test(arguments: [SessionCommand.goHome, .resetMediaServices])
    func `events during the return do not prevent the full rendition`(act: SessionCommand) throws {
        let title = Title(name: "title", duration: 90)
        let rig = Rig(
            platform: try Shipped.platform("ios-4.3"),
            app: try Shipped.app("switch-preloaded"),
            line: .slow,
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 30.5)
        rig.plan(.comeBack, at: 50)
        // The full rendition is loading.
        rig.plan(act, at: 50.7)
        if act == .goHome { rig.plan(.comeBack, at: 58) }
        _ = rig.runner.run(until: Instant(seconds: 80))
        #expect(rig.decisions.contains("load the full rendition"))
        // On such a link, it may have to wait.
        #expect(rig.session.rendition == .full && rig.session.player.timeControl != .paused)
    }

    @Test func `an advance to the next item skips the preloaded one`() throws {
        for leave in [SessionCommand.advance, .remove(ItemID(1))] {
            let titles = ["one", "two"].map { Title(name: $0, duration: 90) }
            let rig = Rig(
                platform: try Shipped.platform("ios-4.3"),
                app: try Shipped.app("switch-preloaded"),
                titles: titles
            )
            rig.plan(.open(titles.map(\.address)), at: 0)
            rig.plan(.play, at: 0)
            rig.plan(leave, at: 20)
            _ = rig.runner.run(until: Instant(seconds: 30))
            #expect(rig.session.player.current?.url == titles[1].address.full, "\(leave)")
        }
    }

    @Test func `nothing is preloaded if the platform loads no item ahead`() throws {
        let rig = try away(
            "ios-4.3",
            try Shipped.app("switch-preloaded"),
            line: .slow,
            platformChanges: ["preload": "never"]
        )
        #expect(rig.session.metrics(at: rig.loop.now).background == .continues)
        let gap = try #require(rig.trail.breaks.first { $0.reason == "platform" })
        #expect(gap.silence > .seconds(2))
    }

    @Test func `a preloaded item is not heard after the end of its leader`() throws {
        let title = Title(name: "title", duration: 20)
        let rig = Rig(
            platform: try Shipped.platform("ios-4.3"),
            app: try Shipped.app("switch-preloaded"),
            titles: [title]
        )
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        #expect(rig.runner.run() == .idle)
        #expect(rig.session.isFinished)
        #expect(Set(rig.trail.stretches.map(\.item)).count == 1)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(20))
    }

    @Test func `an item that is ready, but not loaded at the switch position, plays as soon as it is`() throws {
        let title = Title(name: "title", duration: 90)
        var loop: EventLoop<SessionInput>?
        let rig = Rig(
            platform: try Shipped.platform("ios-4.3"),
            app: try Shipped.app("switch-preloaded"),
            titles: [title]
        ) { request in
            // Only the first segment of the audio rendition arrives before the app has left.
            let isMeant = request.url.contains("background/") && !request.url.hasSuffix("/0.ts")
            return isMeant && loop?.now ?? .zero < Instant(seconds: 9.5) && !request.url.hasSuffix("m3u8")
                ? (503, []) : nil
        }
        loop = rig.loop
        rig.plan(.open([title.address]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.goHome, at: 9)
        _ = rig.runner.run(until: Instant(seconds: 40))
        let began = try #require(rig.trail.runningSince)
        #expect(began > Instant(seconds: 9.3) && began < Instant(seconds: 24))
        #expect(rig.session.metrics(at: rig.loop.now).background == .continues)
        #expect(rig.session.metrics(at: rig.loop.now).skippedAtSwitches ?? .zero == .zero)
    }

    @Test func `an item that ends on the way to the background has played to its end`() throws {
        for app in ["switch-when-ready", "switch-preloaded"] {
            let rig = try away(
                "ios-4.3",
                try Shipped.app(app),
                titles: [Title(name: "title", duration: 0.5)],
                from: 1.45,
                until: 5,
                end: 8
            )
            let ended = try #require(rig.first { if case .itemPlayedToEnd = $0 { true } else { false } })
            #expect(ended > Instant(seconds: 1.45) && ended < Instant(seconds: 1.55))
            #expect(rig.session.metrics(at: rig.loop.now).background == .continues)
            #expect(rig.trail.heard(at: rig.loop.now) == .seconds(0.5))
        }
    }

    @Test func `a start at a segment jumps back, an exact start does not`() throws {
        for (starts, expected) in [("segment", Duration.seconds(0.6)), ("exact", .zero)] {
            let app = try Shipped.app("switch-when-ready", ["starts": starts])
            let rig = try away("ios-4.3", app, end: 49)
            let gap = try #require(rig.trail.breaks.first { $0.reason == "platform" })
            // Paused at about 30.6 s less the startup; segments are 6 s long.
            let paused = try #require(rig.trail.stretches.first { $0.reason == "platform" }).end
            #expect(gap.skipped == (expected == .zero ? .zero : .seconds(24) - paused), "\(paused)")
            let switched = rig.session.metrics(at: rig.loop.now).repeatedAtSwitches ?? .zero
            #expect((switched > .zero) == (starts == "segment"))
        }
    }

    @Test func `an app that recovers at once recreates a rejected item`() throws {
        let app = try Shipped.app("switch-if-was-playing", ["recovers": "at-once"])
        let rig = try away("ios-4.3", app, line: .slow)
        #expect(rig.session.metrics(at: rig.loop.now).background == .rejected, "an item failed all the same")
        #expect(rig.decisions.contains("recreate the item"))
        let heard = rig.trail.stretches.filter {
            $0.began > Instant(seconds: 31) && $0.ended <= Instant(seconds: 51)
                && rig.session.rendition(of: $0.item) == .background
        }
        #expect(heard.reduce(.zero) { $0 + $1.length } > .seconds(10))
    }

    @Test func `an item that starts behind another in the background has no video`() throws {
        let titles = [Title(name: "first", duration: 40), Title(name: "second", duration: 90)]
        let good = try away("ios-4.3", try Shipped.app("switch-when-ready"), titles: titles)
        #expect(good.session.metrics(at: good.loop.now).background == .continues)
        #expect(good.session.player.current.map { good.session.rendition(of: $0.id) } == .full)
        #expect(good.trail.stretches.contains { $0.url.contains("second/background") })
        // If the next item is unchanged, the platform refuses it.
        let bad = try away("ios-4.3", try Shipped.app("switch-if-was-playing"), titles: titles)
        #expect(bad.session.metrics(at: bad.loop.now).background == .rejected)
        #expect(bad.session.player.item(ItemID(2))?.isFailed == true)
    }

    @Test(arguments: 0..<20, ["switch-when-ready", "switch-preloaded"])
    func `no order of notices changes the outcome`(block: Int, app: String) throws {
        let title = Title(name: "title", duration: 60)
        let platform = try Shipped.platform("ios-4.3")
        let policy = try Shipped.app(app)
        // A thousand orders of one, a hundred of the other.
        let count = app == "switch-when-ready" ? 50 : 5
        for seed in 0..<count {
            let rig = Rig(
                platform: platform,
                app: policy,
                line: seed % 2 == 0 ? .slow : .wifi,
                seed: UInt64(block * count + seed),
                titles: [title]
            )
            rig.plan(.open([title.address]), at: 0)
            rig.plan(.play, at: 0)
            rig.plan(.goHome, at: 10)
            rig.plan(.comeBack, at: 16)
            _ = rig.runner.run(until: Instant(seconds: app == "switch-when-ready" ? 23 : 40))
            #expect(rig.session.backgroundOutcome(at: rig.loop.now) == .continues)
            #expect(rig.session.rendition == .full)
            #expect(rig.session.player.timeControl == .playing)
        }
    }
}
