import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// Random commands and faults over variants, renditions, and live playlists.
///
/// Every run ends, keeps its invariants, and is the same for the same seed.
@Suite struct `A random walk over streams` {
    private func log(_ number: Int) throws -> (rig: Rig, ending: EventLoop<SessionInput>.Ending) {
        var random = SeededRandom(seed: UInt64(number))
        var variants = Variants(duration: 60)
        if number % 2 == 0 {
            variants.media = """
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",DEFAULT=YES,URI="sound/index.m3u8"
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="t",NAME="t",DEFAULT=YES,URI="text/index.m3u8"

                """
            for index in variants.rungs.indices { variants.rungs[index].audio = ",AUDIO=\"a\",SUBTITLES=\"t\"" }
        }
        if number % 3 == 0 { variants.rungs[1].segmentDuration = 5 }
        let live = LiveTitle(end: 20)
        var faults = random.split()
        let line = Line(delay: .milliseconds(20), bitsPerSecond: 300_000 + random.nextUnit() * 6_000_000)
        let platform = try Shipped.platform(
            ["desktop", "ios-15", "android-media3"][number % 3],
            [
                "stuck-reloads": "5", "waits-to-minimize-stalls": number % 5 == 0 ? "false" : "true",
                "counts": number % 4 == 1 ? "bytes" : "segments",
                "renditions": ["side-by-side", "in-turn", "by-need", "in-step"][number / 2 % 4],
                "lead": number % 8 == 0 ? "1" : "any",
                "start-segments": number % 6 == 2 ? "1.5" : "none",
                "estimate": ["lower-of-two", "lower-of-two-by-segment", "last-and-mean-of-three"][number % 3],
                "switching": number % 7 == 3 ? "never" : "estimate",
                "switch-waits-for-playlist": number % 4 == 2 ? "true" : "false",
                "rescues-late-segments": number % 5 == 1 ? "false" : "true",
                "retry-from": number % 3 == 0 ? "received" : "start",
                "after-retries": ["fail-when-played", "skip", "fail-now"][number / 3 % 3],
                "live-catch-up": ["none", "jumps", "speeds-up"][number / 3 % 3], "live-lag": "2 s",
            ]
        )
        var rig: Rig?
        let made = Rig(platform: platform, app: try Shipped.app("renditions"), line: line, titles: []) { request in
            let path = request.url.replacing("http://origin/", with: "")
            let now = rig?.loop.now ?? .zero
            switch faults.nextUnit() {
            case ..<0.02: return (503, [])
            case ..<0.04: return (404, [])
            case ..<0.045: return (200, Array("<html>".utf8))
            case ..<0.06: return nil
            default: break
            }
            let media = TransportStream.segment(hasVideo: false, hasAudio: true, size: 48_000)
            switch path {
            case "live.m3u8": return (200, Array(live.playlist(at: now).utf8))
            case "sound/index.m3u8": return (200, Array(Variants.playlist(10, 6).utf8))
            case "text/index.m3u8": return (200, Array(Variants.playlist(10, 6, suffix: "vtt").utf8))
            case _ where path.hasSuffix(".vtt"): return (200, Array("WEBVTT\n".utf8))
            case _ where path.hasPrefix("sound/"): return (200, media)
            case _ where !path.contains("/"):
                guard path.hasSuffix(".ts") else { break }
                return (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: 150_000))
            default: break
            }
            return variants.answer(path)
        }
        rig = made
        made.fetcher.pieces = 10
        let addresses = ["master.m3u8", "live.m3u8"].map { ItemAddress(full: "http://origin/\($0)") }
        made.plan(.open(number % 4 < 2 ? addresses : addresses.reversed()), at: 0)
        made.plan(.play, at: 0)
        var time = 0.0
        for _ in 0..<30 {
            time += random.nextUnit() * 8
            let target = Duration.seconds(random.nextUnit() * 70)
            let commands: [SessionCommand] =
                SessionCommand.ofUsers(seekingTo: target) + [
                    .setPeakBitrate(Int(random.nextUnit() * 3_000_000)), .setPeakBitrate(0),
                    .setForwardBuffer(.seconds(random.nextUnit() * 40)), .setVideoEnabled(random.nextUnit() < 0.5),
                ]
            made.plan(commands[Int(random.nextUnit() * Double(commands.count))], at: time)
        }
        let ending = made.runner.run(until: Instant(seconds: 5000))
        rig = nil
        return (made, ending)
    }

    @Test(arguments: 0..<40)
    func `every run ends and keeps its invariants`(number: Int) throws {
        let (rig, ending) = try log(number)
        #expect(ending == .idle)
        #expect(rig.runner.log.events.count < 20_000)
        switch rig.session.player.timeControl {
        case .playing, .waiting(.mediaService), .waiting(.toMinimizeStalls), .waiting(.evaluatingBufferingRate),
            .waiting(.interstitialEvent):
            Issue.record("\(rig.session.stateDescription(at: rig.loop.now))\n\(rig.runner.log.jsonLines.suffix(3000))")
        case .paused, .waiting(.noItemToPlay): break
        }
        for stretch in rig.trail.stretches {
            let clock = Double((stretch.ended - stretch.began).wholeNanoseconds) * stretch.rate
            #expect((clock - Double(stretch.length.wholeNanoseconds)).magnitude < 10)
        }
        let names = rig.kinds.map { $0.record.name }
        let began = names.count { $0 == "request.began" }
        #expect(began == names.count { ["request.finished", "request.failed", "request.cancelled"].contains($0) })
    }

    @Test(arguments: [3, 8])
    func `the same seed gives the same log`(number: Int) throws {
        let logs = try (0..<2).map { _ in try log(number).rig.runner.log.jsonLines }
        #expect(logs[0] == logs[1])
    }
}
