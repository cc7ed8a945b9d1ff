import SegueBase
import SegueContainers
import SegueFetch
import SeguePlaylists
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// The effects of the fields in which players' estimates, switches, and order of renditions differ.
@Suite struct `Fields of switching` {
    private let line = Line(delay: .milliseconds(10), bitsPerSecond: 4_500_000)
    private let atOnce = [
        "keep-up-least": "10 ms", "keep-up-enough": "10 ms", "switch-up-buffer": "0 s", "switch-up-margin": "1",
        "first-variant": "lowest",
    ]

    private func platform(_ changes: [String: String]) throws -> PlatformProfile {
        try Shipped.platform("desktop", atOnce.merging(changes) { $1 })
    }

    @Test func `averages over segments start at zero and rise with their weights`() {
        var rates = SegmentRates()
        #expect(rates.lowerOfTwo == nil && rates.lastAndMean == nil)
        var estimates: [Double] = []
        for _ in 0..<4 {
            rates.add(1000)
            estimates.append((rates.lowerOfTwo ?? 0).rounded())
        }
        #expect(estimates == [200, 360, 488, 590])
        // The fast average follows a drop.
        rates.add(100)
        #expect(rates.lowerOfTwo.map { $0 < 300 } == true)
    }

    @Test func `the last rate counts, or the mean of three if that is lower`() {
        var rates = SegmentRates()
        let estimates = [900.0, 600, 1200, 300].map { rate in
            rates.add(rate)
            #expect(rates.latest == rate)
            return rates.lastAndMean
        }
        #expect(estimates == [900, 600, 900, 300])
    }

    @Test(arguments: [
        ("lower-of-two", ["low", "high"]), ("lower-of-two-by-segment", ["low", "middle", "high"]),
        ("last-and-mean-of-three", ["low", "high"]), ("last", ["low", "high"]),
    ])
    func `the estimate determines the time of a switch up`(estimate: String, chosen: [String]) throws {
        let rig = Variants().rig(try platform(["estimate": estimate, "switch-waits-for-playlist": "true"]), line: line)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(Array(rig.chosen.prefix(chosen.count)) == chosen)
    }

    @Test func `averages over a longer time follow a drop later`() throws {
        func estimate(_ changes: [String: String]) throws -> Double {
            var meter = ThroughputMeter(try platform(changes).loading.adapting)
            for (second, bytes, lasts) in [(0.0, 1_000_000, 10.0), (20, 100_000, 3)] {
                meter.begin(at: Instant(seconds: second))
                meter.receive(bytes)
                meter.end(at: Instant(seconds: second + lasts))
            }
            return meter.bitsPerSecond ?? 0
        }
        #expect(try estimate([:]) < (try estimate(["estimate-fast": "20 s", "estimate-slow": "20 s"])))
    }

    @Test func `without switching, the first variant is kept, however fast the link`() throws {
        let rig = Variants().rig(try platform(["switching": "never"]), line: line)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["low"])
    }

    @Test func `where the highest is used, neither the bandwidth nor the buffer matters`() throws {
        let slow = Line(delay: .milliseconds(10), bitsPerSecond: 300_000)
        let changes = ["switching": "highest", "switch-waits-for-playlist": "true", "switch-up-buffer": "60 s"]
        let rig = Variants().rig(try platform(changes), line: slow)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["low", "high"])
    }

    @Test(arguments: [("1", 1), ("1.25", 0)])
    func `a variant is left downward as soon as its margin is not met`(margin: String, kept: Int) throws {
        let variants = [800_000, 1_000_000].map { Variant(uri: "v", bandwidth: $0) }
        let ladder = VariantLadder(variants, try platform(["switch-down-margin": margin]).loading)
        let criteria = VariantLadder.Criteria(estimate: 1_100_000, ahead: .seconds(5), peak: 0) { _ in true }
        let settings = ladder.settings
        #expect(settings.adapting.switchUpMargin == 1)
        #expect(ladder.next(after: 1, criteria, at: .zero) == 1)
        let upward = try platform(["switch-down-margin": margin, "switch-up-margin": "1.25"]).loading
        #expect(VariantLadder(variants, upward).next(after: 1, criteria, at: .zero) == kept)
    }

    @Test(arguments: [
        (true, ["low/0.ts", "high/index.m3u8", "high/1.ts"]),
        (false, ["low/0.ts", "high/index.m3u8", "low/1.ts", "high/2.ts"]),
    ])
    func `a switch up waits for the other playlist, or loading continues meanwhile`(waits: Bool, asked: [String]) throws
    {
        let rig = Variants().rig(try platform(["switch-waits-for-playlist": "\(waits)"]), line: line)
        rig.runner.run()
        let first = try #require(rig.paths.firstIndex(of: "low/0.ts"))
        #expect(Array(rig.paths[first...].prefix(asked.count)) == asked)
    }

    @Test(arguments: [true, false])
    func `a late segment is canceled, or awaited`(rescues: Bool) throws {
        let rig = Variants().rig(try platform(["rescues-late-segments": "\(rescues)"]), line: line)
        rig.loop.schedule(.command(.play), at: Instant(seconds: 4), priority: .settled)
        rig.runner.run(until: Instant(seconds: 4))
        rig.fetcher.line.bitsPerSecond = 600_000
        rig.runner.run()
        #expect(rig.session.isFinished)
        let asked = rig.paths.filter { $0.hasSuffix(".ts") }
        // The canceled segment is requested again from a lower variant.
        let numbers = asked.map { $0.drop { $0 != "/" } }
        #expect((Set(numbers).count < numbers.count) == rescues, "\(asked)")
    }

    // MARK: Renditions

    private func apart(
        _ changes: [String: String],
        audioSize: Int = 60_000,
        missing: String = ""
    ) throws -> Rig {
        let rig = Rig(platform: try platform(changes), line: Line(delay: .zero, bitsPerSecond: 2_000_000), titles: []) {
            let path = $0.url.replacing("http://origin/", with: "")
            if path == "master.m3u8" {
                let audio = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"s\",DEFAULT=YES,URI=\"sound/index.m3u8\"\n"
                let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1000000,AUDIO=\"a\"\nvideo/index.m3u8\n"
                return (200, Array(("#EXTM3U\n" + audio + variant).utf8))
            }
            if path == missing { return (404, []) }
            if path.hasSuffix("index.m3u8") { return (200, Array(Variants.playlist(10, 6).utf8)) }
            let isVideo = path.hasPrefix("video")
            let size = isVideo ? 600_000 : audioSize
            return (200, TransportStream.segment(hasVideo: isVideo, hasAudio: !isVideo, size: size))
        }
        rig.plan(.open([ItemAddress(full: "http://origin/master.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    private func order(_ changes: [String: String], audioSize: Int = 60_000) throws -> [String] {
        let rig = try apart(changes, audioSize: audioSize)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.paths.count { $0.hasSuffix(".ts") } == 20)
        return rig.paths.filter { $0.hasSuffix(".ts") }.prefix(8).map { $0.replacing(".ts", with: "") }
    }

    @Test func `renditions load independently, in turn, or by need`() throws {
        // The link of the tests answers requests one after the other, in order.
        let turns = ["video/0", "sound/0", "video/1", "sound/1", "video/2", "sound/2", "video/3", "sound/3"]
        #expect(try order(["renditions": "in-turn"]) == turns)
        #expect(try order(["renditions": "by-need"]) == turns)
        #expect(try order(["renditions": "in-step"]) == turns)
    }

    @Test func `audio comes first if the platform states so`() throws {
        #expect(try order(["renditions": "sound-in-turn"]).prefix(4) == ["sound/0", "video/0", "sound/1", "video/1"])
    }

    /// Of 6 s of audio, 5 have been delivered, or all; of video, 5.2.
    @Test(arguments: [("1 s", ["sound/1", "video/1"]), ("0 s", ["video/1", "sound/1"])])
    func `media ahead of the clock do not count where blocks count`(audio: String, following: [String]) throws {
        let changes = ["counts": "blocks", "decoded": "800 ms", "decoded-sound": audio]
        let asked = try order(changes.merging(["renditions": "sound-in-turn"]) { $1 })
        #expect(Array(asked.prefix(4)) == ["sound/0", "video/0"] + following)
    }

    @Test(arguments: [("0 s", 60.0), ("1100 ms", 58.9)])
    func `the end of the previous variant is dropped where a change loses it`(loses: String, heard: Double) throws {
        let rig = Variants().rig(try platform(["switching": "highest", "change-loses": loses]), line: line)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["low", "high"])
        #expect(abs(rig.trail.heard(at: rig.loop.now).seconds - heard) < 0.01)
        if heard < 60 { #expect(rig.trail.stretches.first?.end.seconds == 4.9) }
    }

    @Test(arguments: ["in-turn", "by-need", "in-step", "side-by-side"])
    func `the number of concurrent requests`(renditions: String) throws {
        let rig = try apart(["renditions": renditions])
        var most = 0
        for step in 1...200 {
            rig.runner.run(until: Instant(seconds: Double(step) * 0.05))
            guard let client = rig.session.player.current?.client as? HLSStreaming else { continue }
            most = max(most, client.streams.all.count { $0.isLoading })
        }
        #expect(most == (renditions == "in-turn" ? 1 : 2))
    }

    @Test(arguments: [("any", 8), ("2", 2), ("1", 1)])
    func `audio is ahead of video by no more than its lead`(lead: String, most: Int) throws {
        let rig = try apart(["lead": lead], audioSize: 2_000)
        // The video never arrives.
        rig.fetcher.isSilent = { $0.url.contains("/video/") && $0.url.hasSuffix(".ts") }
        rig.runner.run(until: Instant(seconds: 20))
        let audioTracks = rig.paths.count { $0.hasPrefix("sound/") && $0.hasSuffix(".ts") }
        #expect(lead == "any" ? audioTracks > most : audioTracks == most)
    }

    @Test func `a permanent failure of audio does not delay video`() throws {
        let rig = try apart(["renditions": "in-turn"], missing: "sound/3.ts")
        rig.runner.run()
        #expect(rig.session.isFailed)
        #expect(rig.trail.stretches.last?.end == .seconds(18))
        // Video continued after audio had failed permanently.
        #expect(rig.paths.contains("video/4.ts"))
    }
}
