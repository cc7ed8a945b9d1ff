import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// A live stream with segments of four seconds and a window of eighty seconds.
private struct Dated {
    var control = "#EXT-X-SERVER-CONTROL:HOLD-BACK=12\n"
    var hasDates = true

    func rig(
        _ platform: PlatformProfile,
        instead: @escaping (FetchRequest, Instant) -> MemoryFetcher.Answer? = { _, _ in nil }
    ) -> Rig {
        let title = LiveTitle(window: 20, before: 20, head: control)
        return title.rig(
            platform,
            change: { text, now in
                guard hasDates else { return text }
                let seconds = (title.count(at: now) - 20) * 4
                let digits = [seconds / 600, seconds / 60 % 10, seconds % 60 / 10, seconds % 10]
                let time = "00:\(digits[0])\(digits[1]):\(digits[2])\(digits[3])Z"
                let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T\(time)\n#EXTINF"
                return text.replacing("#EXTINF", with: date, maxReplacements: 1)
            },
            instead: instead
        )
    }
}

extension Rig {
    /// The rates that the player chose, in order.
    fileprivate var speeds: [Double] {
        kinds.compactMap { kind in
            if case .playerRate(let rate, RateReason.liveCatchUp) = kind { rate } else { nil }
        }
    }

    /// The jumps, with their positions and times.
    fileprivate var jumps: [(position: Double, at: Double)] {
        runner.log.events.compactMap { event in
            if case .itemTimeJumped(_, let position) = event.kind { (position, event.at.seconds) } else { nil }
        }
    }

    /// The distance from the end of the server's media, as if it grew continuously.
    fileprivate var distance: Double { 80 + loop.now.seconds - session.position(at: loop.now).seconds }
}

@Suite struct `Catching up with a live edge` {
    private func jumping() throws -> PlatformProfile {
        try Shipped.platform("desktop", ["live-catch-up": "jumps", "live-lag": "10 s"])
    }

    // MARK: Speeding up

    @Test(arguments: [
        (0.0, 10.0, 1.0), (0.04, 10, 1), (0.06, 10, 1.01), (0.21, 10, 1.02), (5, 10, 1.03), (5, 0.06, 1.01), (5, 0, 1),
        (-0.04, 10, 1), (-0.21, 10, 0.98), (-1000, 10, 0.97), (-1, 0, 0.97),
    ])
    func `the rate increases by a tenth of the lag in seconds, up to 3 percent`(
        lag: Double,
        ahead: Double,
        factor: Double
    ) {
        var speed = LiveSpeed()
        let isNews = speed.look(lag: .seconds(lag), ahead: .seconds(ahead), at: Instant(seconds: 5))
        #expect(speed.factor == factor && isNews == (factor != 1))
        #expect(speed.nextLook == Instant(seconds: 6))
        let ends = speed.look(lag: nil, ahead: .seconds(ahead), at: Instant(seconds: 6))
        #expect(speed.factor == 1 && ends == isNews && speed.nextLook == nil)
    }

    @Test func `after a pause, playback is faster until the distance is that of the server`() throws {
        let rig = Dated().rig(try Shipped.platform("android-media3"))
        rig.plan(.pause, at: 10)
        rig.plan(.play, at: 14)
        rig.runner.run(until: Instant(seconds: 15))
        #expect(abs(rig.distance - 16) < 0.1, "\(rig.distance)")
        #expect(rig.session.player.rate == 1, "the app reads what it set")
        rig.runner.run(until: Instant(seconds: 100))
        // Every second reduces the distance of four seconds by 0.03 s.
        #expect(abs(rig.distance - (16 - 86 * 0.03)) < 0.1, "\(rig.distance)")
        rig.runner.run(until: Instant(seconds: 200))
        #expect(abs(rig.distance - 12) < 0.1, "\(rig.distance)")
        #expect(rig.speeds == [1.03, 1.02, 1.01, 1])
        let stretches = rig.trail.stretches(at: rig.loop.now)
        #expect(stretches.count == 5 && stretches.map(\.rate) == [1, 1.03, 1.02, 1.01, 1])
        for (one, next) in zip(stretches, stretches.dropFirst()) {
            #expect(one.end == next.start)
            #expect(one.ended == next.began || one.reason == "command")
        }
        #expect(rig.jumps.isEmpty && rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test func `a stream without dates, or without a hold-back, plays at its rate`() throws {
        for title in [Dated(hasDates: false), Dated(control: "")] {
            let rig = title.rig(try Shipped.platform("android-media3"))
            rig.plan(.pause, at: 10)
            rig.plan(.play, at: 14)
            rig.runner.run(until: Instant(seconds: 60))
            #expect(rig.speeds.isEmpty && abs(rig.distance - 16) < 0.1, "\(rig.distance)")
        }
    }

    @Test func `at another rate, or after a seek back, the speed does not change`() throws {
        let fast = Dated().rig(try Shipped.platform("android-media3"))
        fast.plan(.pause, at: 10)
        fast.plan(.setRate(0.5), at: 14)
        fast.runner.run(until: Instant(seconds: 30))
        #expect(fast.speeds.isEmpty && fast.trail.stretches(at: fast.loop.now).last?.rate == 0.5)
        let back = Dated().rig(try Shipped.platform("android-media3"))
        back.plan(.seek(to: .seconds(42), toleranceBefore: .zero, toleranceAfter: .zero), at: 10)
        back.runner.run(until: Instant(seconds: 30))
        #expect(back.speeds.isEmpty && abs(back.distance - 48) < 0.1, "\(back.distance)")
        back.plan(.pause, at: 31)
        back.plan(.play, at: 33)
        back.runner.run(until: Instant(seconds: 150))
        // Two seconds are caught up, and no more.
        #expect(abs(back.distance - 48) < 0.1 && back.speeds.first == 1.03, "\(back.distance)")
    }

    @Test func `a rate that is set meanwhile is reported unchanged`() throws {
        let rig = Dated().rig(try Shipped.platform("android-media3"))
        rig.plan(.pause, at: 10)
        rig.plan(.play, at: 14)
        rig.plan(.setRate(2), at: 16)
        rig.plan(.setRate(1), at: 17)
        rig.plan(.pause, at: 18)
        rig.plan(.play, at: 19)
        rig.runner.run(until: Instant(seconds: 20))
        let told = rig.kinds.compactMap { if case .playerRate(let rate, _) = $0 { rate } else { nil } }
        #expect(told == [1, 0, 1, 1.03, 2, 1, 1.03, 0, 1, 1.03])
        #expect(rig.trail.stretches(at: rig.loop.now).map(\.rate) == [1, 1.03, 2, 1.03, 1.03])
    }

    // MARK: Jumping

    @Test func `an item that is too far behind jumps to the join position when it is to play`() throws {
        let rig = Dated().rig(try jumping())
        rig.plan(.pause, at: 10)
        rig.plan(.play, at: 15)
        rig.runner.run(until: Instant(seconds: 29))
        #expect(rig.jumps.isEmpty && abs(rig.distance - 17) < 0.1, "\(rig.distance)")
        rig.plan(.pause, at: 30)
        rig.plan(.play, at: 38)
        rig.runner.run(until: Instant(seconds: 37))
        #expect(rig.jumps.isEmpty)
        rig.runner.run(until: Instant(seconds: 60))
        // At 38 s, 116 s are listed, and a viewer joins at 104 s.
        #expect(rig.jumps.map(\.position) == [104] && rig.jumps.map(\.at) == [38])
        #expect(rig.trail.stretches(at: rig.loop.now).last?.start == .seconds(104))
        #expect(rig.speeds.isEmpty)
    }

    @Test func `an item that falls behind in a stall jumps, and stays without that field`() throws {
        for (platform, jumps) in [(try jumping(), true), (try Shipped.platform("desktop"), false)] {
            let rig = Dated().rig(platform) { request, now in
                request.url.hasSuffix(".ts") && now.seconds > 6 && now.seconds < 30 ? (503, []) : nil
            }
            rig.runner.run(until: Instant(seconds: 70))
            #expect(rig.session.metrics(at: rig.loop.now).stalls == 1)
            #expect(rig.jumps.isEmpty != jumps)
            #expect(jumps ? rig.distance < 22 : rig.distance > 22, "\(rig.distance)")
            #expect(rig.session.player.timeControl == .playing)
        }
    }

    @Test func `after a seek back, the chosen distance is kept after a pause`() throws {
        let rig = Dated().rig(try jumping())
        rig.plan(.seek(to: .seconds(42), toleranceBefore: .zero, toleranceAfter: .zero), at: 10)
        rig.runner.run(until: Instant(seconds: 20))
        #expect(rig.jumps.map(\.position) == [42])
        rig.plan(.pause, at: 21)
        rig.plan(.play, at: 33)
        rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.jumps.count == 2 && abs(rig.distance - 48) < 0.2, "\(rig.distance)")
    }

    @Test func `an item with an explicit start position has no target`() throws {
        let title = Dated(control: "#EXT-X-START:TIME-OFFSET=20\n")
        let rig = title.rig(try jumping())
        rig.plan(.pause, at: 10)
        rig.plan(.play, at: 22)
        rig.runner.run(until: Instant(seconds: 26))
        #expect(rig.jumps.isEmpty && rig.distance > 70, "\(rig.distance)")
        let given = Dated().rig(try jumping())
        let url = "http://origin/live.m3u8"
        given.plan(.insertItem(NewItem(url: url, startingAt: .seconds(30), isExact: true, place: .last)), at: 1)
        given.plan(.advance, at: 2)
        given.runner.run(until: Instant(seconds: 10))
        #expect(given.jumps.isEmpty && given.distance > 50, "\(given.distance)")
    }
}
