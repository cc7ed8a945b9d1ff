import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

@Suite struct `The choice of variants` {
    private let fast = Line(delay: .milliseconds(10), bitsPerSecond: 10_000_000)

    private func desktop(_ changes: [String: String] = [:]) throws -> PlatformProfile {
        try Shipped.platform("desktop", changes)
    }

    @Test func `more bandwidth leads up when enough is buffered, without a break`() throws {
        let rig = Variants().rig(try desktop(), line: fast)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["low", "high"])
        // Ten seconds are buffered after two segments of six.
        #expect(rig.paths.prefix(4).map { $0 } == ["master.m3u8", "low/index.m3u8", "low/0.ts", "low/1.ts"])
        #expect(rig.paths.filter { $0.hasPrefix("low/") && $0.hasSuffix(".ts") }.count <= 3)
        #expect(rig.trail.stretches.count == 1)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(60))
        let entries = try #require(rig.item?.journal.access)
        #expect(entries.map(\.reason) == [.variantSwitch, .end])
        #expect(entries.map(\.indicatedBitrate) == [500_000, 3_000_000])
        #expect(entries[1].uri == "http://origin/high/index.m3u8")
        #expect(entries.map(\.watched).reduce(.zero, +) == .seconds(60))
    }

    @Test func `media3 starts with the variant for an unknown network, wherever it is listed`() throws {
        var first = Variants()
        first.rungs.reverse()
        let rig = first.rig(try Shipped.platform("android-media3"), line: fast)
        rig.runner.run(until: Instant(seconds: 5))
        #expect(rig.paths.prefix(2) == ["master.m3u8", "low/index.m3u8"])
    }

    @Test func `less bandwidth leads down immediately, and playback does not stop`() throws {
        var first = Variants()
        first.rungs.reverse()
        first.duration = 120
        let rig = first.rig(try desktop(["rescues-late-segments": "true"]), line: fast)
        rig.fetcher.answer = { [fetcher = rig.fetcher, loop = rig.loop] request in
            if loop.now.seconds > 0.5 { fetcher.line.bitsPerSecond = 800_000 }
            return first.answer(request.url.replacing("http://origin/", with: ""))
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["high", "low"])
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test func `a variant that is left before playback has an entry in the access log`() throws {
        var first = Variants()
        first.rungs.reverse()
        let rig = first.rig(
            try desktop(["start-segments": "none"]),
            line: Line(delay: .milliseconds(100), bitsPerSecond: 800_000)
        )
        rig.runner.run(until: Instant(seconds: 60))
        let entry = try #require(rig.item?.journal.access.first)
        #expect(entry.reason == .variantSwitch)
        #expect(entry.uri == "http://origin/high/index.m3u8")
        #expect(entry.indicatedBitrate == 3_000_000)
        #expect(entry.watched == .zero)
    }

    @Test func `a late segment is canceled for one that is in time`() throws {
        var first = Variants()
        first.rungs.reverse()
        let rig = first.rig(
            try desktop(["buffer-limit": "12 s", "buffer-resume": "11 s", "rescues-late-segments": "true"]),
            line: fast
        )
        rig.fetcher.answer = { [fetcher = rig.fetcher] request in
            if request.url.hasSuffix("high/4.ts") { fetcher.line.bitsPerSecond = 1_000_000 }
            return first.answer(request.url.replacing("http://origin/", with: ""))
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.kinds.contains { if case .requestCancelled = $0 { true } else { false } })
        let place = try #require(rig.paths.firstIndex(of: "high/4.ts"))
        // A segment of one megabit per second arrives within the buffer.
        #expect(rig.paths[(place + 1)...].contains("middle/4.ts"))
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    @Test func `variants with unaligned segments follow each other without a hole`() throws {
        var variants = Variants()
        variants.rungs[2].segmentDuration = 5
        let rig = variants.rig(try desktop(), line: fast)
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.trail.stretches.count == 1)
        let low = rig.paths.filter { $0.hasPrefix("low/") && $0.hasSuffix(".ts") }.count
        let high = rig.paths.filter { $0.hasPrefix("high/") && $0.hasSuffix(".ts") }
        // The first segment of the higher variant contains the end of the last one of the lower.
        #expect(high.first == "high/\(low * 6 / 5).ts")
        #expect(high.last == "high/11.ts")
    }

    @Test func `where the platform uses the average, it applies when two segments are buffered`() throws {
        var variants = Variants(duration: 120)
        variants.rungs = [
            .init(name: "low", bandwidth: 500_000, average: 300_000),
            .init(name: "high", bandwidth: 3_000_000, average: 1_000_000),
        ]
        // The link sustains the average and the margin, but not the peak.
        let line = Line(delay: .milliseconds(10), bitsPerSecond: 2_000_000)
        let peak = variants.rig(try desktop(), line: line)
        peak.runner.run()
        #expect(peak.chosen == ["low"])
        let average = variants.rig(try desktop(["variant-rate": "average", "switch-up-buffer": "0 s"]), line: line)
        average.runner.run()
        #expect(average.chosen == ["low", "high"])
        #expect(average.session.metrics(at: average.loop.now).stalls == 0)
        let media = average.paths.filter { $0.hasSuffix(".ts") }
        // Twelve seconds are buffered when the third segment has arrived, and nothing more is requested until the
        // playlist has arrived.
        #expect(media.prefix(4) == ["low/0.ts", "low/1.ts", "low/2.ts", "high/3.ts"], "\(media)")
        variants.rungs[1].average = nil
        let silent = variants.rig(try desktop(["variant-rate": "average"]), line: line)
        silent.runner.run()
        #expect(silent.chosen == ["low"])
    }

    @Test func `the app's limit applies, also in the middle`() throws {
        let rig = Variants().rig(try desktop(), line: fast)
        rig.plan(.setPeakBitrate(1_000_000), at: 0)
        rig.runner.run()
        #expect(rig.chosen == ["low", "middle"])
        let later = Variants(duration: 240).rig(try desktop(), line: fast)
        later.plan(.setPeakBitrate(600_000), at: 30)
        later.runner.run()
        #expect(later.chosen == ["low", "high", "low"])
        #expect(later.trail.stretches.count == 1)
    }

    @Test(arguments: [("listed", "middle"), ("highest", "high"), ("lowest", "low"), ("estimated", "low")])
    func `the profile determines the first variant`(rule: String, first: String) throws {
        var variants = Variants()
        variants.rungs.swapAt(0, 1)
        let platform = try desktop(["first-variant": rule, "starting-bitrate": "900000"])
        let rig = variants.rig(platform, line: fast)
        rig.runner.run(until: Instant(seconds: 0.5))
        #expect(rig.chosen.first == first)
    }

    @Test func `a variant that fails is left for another one, and returns after its penalty`() throws {
        var variants = Variants(duration: 240)
        variants.rungs.removeLast()
        let rig = variants.rig(try desktop(["retries": "0", "variant-penalty": "60 s"]), line: fast) { request in
            request.url.hasSuffix("middle/5.ts") ? (404, []) : nil
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["low", "middle", "low", "middle"])
        #expect(rig.trail.stretches.count == 1)
        #expect(rig.item?.journal.errors.map(\.status) == [404])
        let back = try #require(rig.runner.log.events.last { $0.kind.record.name == "playlist.variantChosen" })
        #expect(back.at.seconds > 60)
    }

    @Test func `when every variant fails, the item fails after its buffer`() throws {
        let rig = Variants().rig(try desktop(["retries": "0"]), line: fast) { request in
            request.url.hasSuffix(".ts") && !request.url.hasSuffix("low/0.ts") ? (404, []) : nil
        }
        rig.runner.run()
        #expect(rig.session.isFailed)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(6))
        #expect(rig.chosen == ["low", "middle", "high"] || rig.chosen == ["low", "high", "middle"], "\(rig.chosen)")
    }

    @Test func `a variant that fails immediately is left for another one before the item fails`() throws {
        var answers = 0
        let rig = Variants().rig(try desktop(["retries": "0"]), line: fast) { request in
            if request.url.contains("/low/"), request.url.hasSuffix(".ts") { return (404, []) }
            guard request.url.hasSuffix("middle/index.m3u8") else { return nil }
            answers += 1
            return (503, [])
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["low", "high"])
        #expect(answers > 0)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(60))
    }

    @Test func `failed audio is replaced by another variant's, once`() throws {
        var variants = Variants()
        variants.rungs = ["a", "b"].map { Variants.Rung(name: $0, bandwidth: 1_000_000, audio: ",AUDIO=\"\($0)\"") }
        variants.rungs.append(Variants.Rung(name: "c", bandwidth: 1_000_000, audio: ",AUDIO=\"c\""))
        variants.media = ["a", "b", "c"].map {
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\($0)\",NAME=\"s\",URI=\"sound-\($0)/index.m3u8\"\n"
        }.joined()
        let rig = variants.rig(try desktop(["retries": "0"]), line: fast) { request in
            guard let audio = request.url.split(separator: "/").first(where: { $0.hasPrefix("sound-") }) else {
                return nil
            }
            if request.url.hasSuffix("m3u8") { return (200, Array(Variants.playlist(10, 6).utf8)) }
            return audio == "sound-a"
                ? (404, []) : (200, TransportStream.segment(hasVideo: false, hasAudio: true, size: 96_000))
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        #expect(rig.chosen == ["a", "b"])
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(60))
    }

    @Test func `audio and video that share a link are measured together`() throws {
        var meter = ThroughputMeter()
        // Each gets half of 8 Mbit/s while both are open.
        meter.begin(at: .zero)
        meter.begin(at: .zero)
        for _ in 0..<10 { meter.receive(100_000) }
        meter.end(at: Instant(seconds: 1))
        for _ in 0..<10 { meter.receive(100_000) }
        meter.end(at: Instant(seconds: 2))
        let rate = try #require(meter.bitsPerSecond)
        #expect((rate - 8_000_000).magnitude < 1)
        // Data after a pause are not measured over the pause.
        meter.begin(at: Instant(seconds: 100))
        meter.receive(1_000_000)
        meter.end(at: Instant(seconds: 101))
        #expect((try #require(meter.bitsPerSecond) - 8_000_000).magnitude < 1)
    }

    @Test func `the estimate follows a drop sooner than a rise`() throws {
        var meter = ThroughputMeter()
        func load(_ bitsPerSecond: Double, from start: Double, for seconds: Int, _ meter: inout ThroughputMeter) {
            for second in 0..<seconds {
                meter.begin(at: Instant(seconds: start + Double(second)))
                meter.receive(Int(bitsPerSecond / 8))
                meter.end(at: Instant(seconds: start + Double(second) + 1))
            }
        }
        load(8_000_000, from: 0, for: 20, &meter)
        load(1_000_000, from: 20, for: 3, &meter)
        let fallen = try #require(meter.bitsPerSecond)
        load(8_000_000, from: 23, for: 3, &meter)
        let risen = try #require(meter.bitsPerSecond)
        #expect(fallen < 4_500_000)
        #expect(risen < 6_500_000)
    }
}
