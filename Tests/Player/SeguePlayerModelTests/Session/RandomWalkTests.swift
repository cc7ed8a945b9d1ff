import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// Random commands, servers, and links.
///
/// A session must keep its invariants.
@Suite struct `A random walk` {
    @Test(arguments: 0..<60)
    func `a session keeps its invariants`(number: Int) throws {
        var random = SeededRandom(seed: UInt64(number))
        let names = ["desktop", "ios-4.0", "ios-4.2", "ios-4.3"]
        let apps = ["switch-when-ready", "switch-if-was-playing", "switch-if-rate", "layer-trick"]
        let platform = try Shipped.platform(
            names[number % names.count],
            [
                "waits-to-minimize-stalls": number % 3 == 0 ? "false" : "true",
                "failed-item": number % 2 == 0 ? "kept" : "consumed",
                "preload": ["at-once", "near-end", "never"][number % 3],
                "buffer-limit": number % 5 == 0 ? "8 s" : "50 s",
                "buffer-resume": number % 5 == 0 ? number % 2 == 0 ? "8 s" : "3 s" : "30 s",
                "counts": number % 3 == 1 ? "bytes" : "segments",
                "start-segments": number % 4 == 2 ? "1.5" : "none",
                "retry-from": number % 2 == 0 ? "received" : "start",
                "after-retries": ["fail-when-played", "fail-now", "skip"][number / 2 % 3],
                "resumes-with-later": "9 s",
                "later-after-stalls": number % 3 == 0 ? "1" : "never",
            ]
        )
        let titles = [
            Title(name: "a", duration: 40), Title(name: "b", duration: 13, hasVideo: false),
            Title(name: "c", duration: 7),
        ]
        let line = Line(
            delay: .milliseconds(Int(random.nextUnit() * 300)),
            bitsPerSecond: 200_000 + random.nextUnit() * 4_000_000
        )
        var faults = random.split()
        let rig = Rig(
            platform: platform,
            app: try Shipped.app(apps[(number / 4) % apps.count]),
            line: line,
            seed: UInt64(number),
            titles: titles,
            instead: { _ in
                switch faults.nextUnit() {
                case ..<0.03: (503, [])
                case ..<0.04: (404, [])
                case ..<0.05: (200, [1, 2, 3])
                default: nil
                }
            }
        )
        rig.plan(.open(titles.map(\.address)), at: 0)
        var time = 0.0
        for _ in 0..<40 {
            time += random.nextUnit() * 8
            let commands: [SessionCommand] = [
                .play, .play, .pause, .setRate(2), .playImmediately, .advance, .goHome, .lock, .comeBack, .comeBack,
                .seek(to: .seconds(random.nextUnit() * 45), toleranceBefore: .zero, toleranceAfter: .zero),
                .seek(to: .seconds(random.nextUnit() * 45), toleranceBefore: nil, toleranceAfter: nil),
                .open([titles[Int(random.nextUnit() * 3)].address]),
            ]
            rig.plan(commands[Int(random.nextUnit() * Double(commands.count))], at: time)
        }
        var last = Instant.zero
        var count = 0
        rig.runner.logged = { _, now in
            #expect(now >= last)
            last = now
            count += 1
        }
        #expect(rig.runner.run(until: Instant(seconds: 10_000)) == .idle)
        #expect(count < 20_000)

        let session = rig.session
        let now = rig.loop.now
        for item in session.player.items {
            let position = item.position
            #expect(position >= .zero)
            if let duration = item.duration { #expect(position <= duration) }
        }
        for (before, after) in zip(session.player.trail.stretches, session.player.trail.stretches.dropFirst()) {
            #expect(before.ended <= after.began)
        }
        for stretch in session.player.trail.stretches {
            let clock = Double((stretch.ended - stretch.began).wholeNanoseconds) * stretch.rate
            let media = Double(stretch.length.wholeNanoseconds)
            #expect((clock - media).magnitude < 10, "media pass as the clock does")
        }
        // With no event left, a player that plays or waits for loading has been forgotten.
        switch session.player.timeControl {
        case .playing, .waiting(.mediaService), .waiting(.toMinimizeStalls), .waiting(.evaluatingBufferingRate),
            .waiting(.interstitialEvent):
            Issue.record("\(session.stateDescription(at: now))\n\(rig.runner.log.jsonLines)")
        case .paused, .waiting(.noItemToPlay): break
        }
        let names2 = rig.kinds.map { $0.record.name }
        let began = names2.count { $0 == "request.began" }
        let over = names2.count { ["request.finished", "request.failed", "request.cancelled"].contains($0) }
        #expect(began == over)
    }
}
