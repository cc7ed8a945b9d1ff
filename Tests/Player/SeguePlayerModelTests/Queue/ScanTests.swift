import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// A title of two minutes in one variant, with I-frames every two seconds in two sizes.
private struct Scanned {
    var hasFrames = true
    var isMarked = true
    var map = ""
    /// The sizes of frames in bytes.
    var sizes = [4_000, 40_000]

    func answer(_ request: FetchRequest) -> MemoryFetcher.Answer? {
        let path = request.url.replacing("http://origin/", with: "")
        let parts = path.split(separator: "/")
        switch parts[0] {
        case "master.m3u8":
            var text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=400000\nmain/index.m3u8\n"
            for (index, size) in sizes.enumerated() where hasFrames {
                text += "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\(size * 4),URI=\"frames\(index)/index.m3u8\"\n"
            }
            return (200, Array(text.utf8))
        case "main" where parts[1] == "index.m3u8": return (200, Array(Variants.playlist(20, 6).utf8))
        case "main": return (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: 300_000))
        case "frames0", "frames1":
            let size = sizes[parts[0] == "frames0" ? 0 : 1]
            guard parts[1] == "index.m3u8" else {
                return (206, [UInt8](repeating: 1, count: Int(request.range?.length ?? 1000)))
            }
            let frames = (0..<60).map { "#EXTINF:2,\n#EXT-X-BYTERANGE:\(size)@\($0 * size)\nall.ts\n" }
            let mark = isMarked ? "#EXT-X-I-FRAMES-ONLY\n" : ""
            let head = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n\(mark)\(map)"
            return (200, Array((head + frames.joined() + "#EXT-X-ENDLIST\n").utf8))
        default: return (404, [])
        }
    }

    func rig(
        _ platform: PlatformProfile,
        line: Line = Line(delay: .milliseconds(10), bitsPerSecond: 8_000_000),
        instead: @escaping (FetchRequest) -> MemoryFetcher.Answer? = { _ in nil }
    ) -> Rig {
        let rig = Rig(platform: platform, line: line, titles: []) { instead($0) ?? answer($0) }
        rig.plan(.open([ItemAddress(full: "http://origin/master.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }
}

extension Rig {
    /// The frames shown, with their positions and times in seconds.
    fileprivate var frames: [(position: Double, at: Double)] {
        runner.log.events.compactMap { event in
            if case .scanFrame(_, let position) = event.kind { (position, event.at.seconds) } else { nil }
        }
    }

    /// The end of each scan, with its reason.
    fileprivate var ends: [String] {
        kinds.compactMap { kind in
            guard case .scanEnded(_, let position, _, let reason) = kind else { return nil }
            return "\(reason) \((position * 10).rounded() / 10)"
        }
    }

    fileprivate var refusals: [String] {
        kinds.compactMap { if case .scanRefused(_, _, let reason) = $0 { reason } else { nil } }
    }
}

@Suite struct `Scanning` {
    private func ios() throws -> PlatformProfile { try Shipped.platform("ios-15") }

    @Test func `a scan moves at its rate and shows frames, and playback continues at its end`() throws {
        let rig = Scanned().rig(try ios())
        rig.plan(.scan(8), at: 10)
        rig.plan(.endScan, at: 15)
        rig.runner.run(until: Instant(seconds: 20))
        let began = try #require(rig.first { if case .scanBegan = $0 { true } else { false } })
        let from = rig.trail.stretches[0].end.seconds
        // The link has 8 Mbit/s, and the larger frames need 160 kbit/s times eight.
        #expect(rig.paths.contains("frames1/index.m3u8") && !rig.paths.contains("frames0/index.m3u8"))
        let frames = rig.frames
        // Forty seconds pass in five, with a frame every two seconds.
        #expect((20...21).contains(frames.count), "\(frames)")
        for (frame, next) in zip(frames, frames.dropFirst()) { #expect(next.position == frame.position + 2) }
        // The loading time of a frame is known from the first one on.
        for frame in frames.dropFirst() {
            let position = from + (frame.at - began.seconds) * 8
            #expect(position >= frame.position - 0.001 && position < frame.position + 2, "\(frame) at \(position)")
        }
        let there = from + (15 - began.seconds) * 8
        #expect(rig.ends == ["command \((there * 10).rounded() / 10)"])
        let last = try #require(rig.trail.stretches(at: rig.loop.now).last)
        #expect(abs(last.start.seconds - there) < 0.001 && last.rate == 1)
        #expect(last.began - Instant(seconds: 15) < .seconds(1))
    }

    @Test func `a backward scan shows them in reverse order, down to the beginning`() throws {
        let rig = Scanned().rig(try ios())
        rig.plan(.seek(to: .seconds(31), toleranceBefore: .zero, toleranceAfter: .zero), at: 5)
        rig.plan(.scan(-4), at: 10)
        rig.runner.run(until: Instant(seconds: 30))
        let positions = rig.frames.map(\.position)
        #expect(positions.count >= 17 && positions == positions.sorted(by: >) && positions.last == 0, "\(positions)")
        #expect(rig.ends == ["start 0.0"])
        #expect(rig.trail.stretches(at: rig.loop.now).last?.start == .zero)
    }

    @Test func `a scan to the end ends the item`() throws {
        let rig = Scanned().rig(try ios())
        rig.plan(.scan(32), at: 10)
        rig.runner.run(until: Instant(seconds: 30))
        #expect(rig.session.isFinished)
        #expect(rig.ends == ["end 120.0"])
    }

    @Test func `a link that is too slow shows fewer and smaller frames`() throws {
        let line = Line(delay: .milliseconds(100), bitsPerSecond: 600_000)
        let rig = Scanned().rig(try ios(), line: line)
        rig.plan(.scan(32), at: 20)
        rig.plan(.endScan, at: 22)
        rig.runner.run(until: Instant(seconds: 23))
        #expect(rig.paths.contains("frames0/index.m3u8") && !rig.paths.contains("frames1/index.m3u8"))
        let began = try #require(rig.first { if case .scanBegan = $0 { true } else { false } })
        let from = rig.trail.stretches[0].end.seconds
        // The requested frame is the one at which the scan will be when it arrives.
        for frame in rig.frames.dropFirst() {
            let position = from + (frame.at - began.seconds) * 32
            #expect(position >= frame.position - 0.001 && position < frame.position + 4, "\(frame) at \(position)")
        }
        let positions = rig.frames.map(\.position)
        // A frame takes a quarter of a second, in which eight seconds pass.
        #expect((3...8).contains(positions.count), "\(positions)")
        for (one, next) in zip(positions, positions.dropFirst()) { #expect(next - one >= 6, "\(positions)") }
    }

    @Test func `only frames are requested during a scan, and loading resumes after it`() throws {
        let rig = Scanned(map: "#EXT-X-MAP:URI=\"frames0/init.mp4\"\n").rig(try ios())
        rig.plan(.scan(8), at: 3)
        rig.plan(.endScan, at: 8)
        rig.runner.run(until: Instant(seconds: 100))
        let paths = rig.paths
        let first = try #require(paths.firstIndex { $0.hasSuffix("/all.ts") })
        let last = try #require(paths.lastIndex { $0.hasSuffix("/all.ts") })
        #expect(paths[first...last].allSatisfy { $0.hasSuffix("/all.ts") })
        #expect(paths.count { $0.hasSuffix("init.mp4") } == 1)
        #expect(rig.session.isFinished)
        #expect(rig.session.metrics(at: rig.loop.now).stalls == 0)
    }

    // MARK: Refusals

    @Test func `without I-frames, or without support, the item continues to play`() throws {
        let without = Scanned(hasFrames: false).rig(try ios())
        without.plan(.scan(8), at: 10)
        let platform = Scanned().rig(try Shipped.platform("android-media3"))
        platform.plan(.scan(8), at: 10)
        let wrong = Scanned(isMarked: false).rig(try ios())
        wrong.plan(.scan(8), at: 10)
        let gone = Scanned().rig(try ios()) { $0.url.contains("frames1/index") ? (404, []) : nil }
        gone.plan(.scan(8), at: 10)
        let slow = Scanned().rig(try ios())
        slow.plan(.scan(1), at: 10)
        let reasons = [
            "the item has no I-frame playlist", "the platform does not support scanning",
            "the playlist is not an I-frame playlist", "HTTP 404", "the speed must be from 2 to 64",
        ]
        for (rig, reason) in zip([without, platform, wrong, gone, slow], reasons) {
            rig.runner.run(until: Instant(seconds: 200))
            #expect(rig.session.isFinished && rig.frames.isEmpty)
            #expect(rig.refusals.count == 1 && rig.refusals[0].contains(reason), "\(rig.refusals)")
            #expect(rig.trail.heard(at: rig.loop.now) >= .seconds(119.9))
        }
    }

    @Test func `a missing frame is skipped, and five in a row end the scan`() throws {
        let some = Scanned().rig(try ios()) { request in
            request.url.hasSuffix("all.ts") && (request.range?.offset ?? 0) == 40_000 * 12 ? (404, []) : nil
        }
        some.plan(.scan(8), at: 10)
        some.plan(.endScan, at: 15)
        some.runner.run(until: Instant(seconds: 16))
        let positions = some.frames.map(\.position)
        #expect(!positions.contains(24) && positions.contains(22) && positions.contains(26), "\(positions)")
        let none = Scanned().rig(try ios()) { $0.url.hasSuffix("all.ts") ? (404, []) : nil }
        none.plan(.scan(8), at: 10)
        none.runner.run(until: Instant(seconds: 200))
        #expect(none.ends.count == 1 && none.ends[0].hasPrefix("failed"))
        #expect(none.session.isFinished)
    }

    // MARK: Commands meanwhile

    @Test(arguments: [
        (SessionCommand.pause, "command"), (.setRate(2), "command"), (.scan(-8), "command"),
        (.seek(to: .seconds(2), toleranceBefore: .zero, toleranceAfter: .zero), "command"), (.advance, "interrupted"),
        (.interrupt, "interrupted"),
    ])
    func `any other command ends it`(command: SessionCommand, reason: String) throws {
        let rig = Scanned().rig(try ios())
        rig.plan(.scan(8), at: 10)
        rig.plan(command, at: 12)
        rig.runner.run(until: Instant(seconds: 13))
        #expect(rig.ends.first?.hasPrefix(reason) == true, "\(rig.ends)")
        let names = rig.kinds.map(\.name)
        let over = ["request.finished", "request.failed", "request.cancelled"]
        rig.runner.run(until: Instant(seconds: 14))
        #expect(names.count { $0 == "request.began" } - names.count { over.contains($0) } <= 1)
    }

    @Test func `a scan during a pause is paused again at its end, with its position reported`() throws {
        let rig = Scanned().rig(try ios())
        rig.plan(.pause, at: 9)
        rig.plan(.scan(8), at: 10)
        rig.plan(.endScan, at: 15)
        rig.runner.run(until: Instant(seconds: 14))
        let position = rig.session.position(at: rig.loop.now).seconds
        #expect(position > 38 && position < 42)
        rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.session.player.timeControl == .paused)
        #expect(rig.trail.stretches.count == 1)
    }

    @Test(arguments: 0..<100)
    func `every run with random commands and faults ends and leaves no requests behind`(number: Int) throws {
        var random = SeededRandom(seed: UInt64(number))
        var faults = random.split()
        let line = Line(delay: .milliseconds(20), bitsPerSecond: 300_000 + random.nextUnit() * 6_000_000)
        let rig = Scanned().rig(try ios(), line: line) { _ in
            switch faults.nextUnit() {
            case ..<0.03: (404, [])
            case ..<0.05: (503, [])
            default: nil
            }
        }
        rig.fetcher.pieces = 5
        var time = 0.0
        for _ in 0..<30 {
            time += random.nextUnit() * 6
            let commands: [SessionCommand] = [
                .play, .pause, .scan(8), .scan(-8), .scan(2 + random.nextUnit() * 62), .scan(-4), .endScan, .endScan,
                .seek(to: .seconds(random.nextUnit() * 130), toleranceBefore: .zero, toleranceAfter: nil), .goHome,
                .comeBack, .interrupt, .endInterruption(shouldResume: true), .setRate(2),
            ]
            rig.plan(commands[Int(random.nextUnit() * Double(commands.count))], at: time)
        }
        let ending = rig.runner.run(until: Instant(seconds: 5000))
        #expect(ending == .idle)
        let names = rig.kinds.map(\.name)
        let over = ["request.finished", "request.failed", "request.cancelled"]
        #expect(names.count { $0 == "request.began" } == names.count { over.contains($0) })
        for (before, after) in zip(rig.trail.stretches, rig.trail.stretches.dropFirst()) {
            #expect(before.ended <= after.began)
        }
        if let duration = rig.session.duration { #expect(rig.session.position(at: rig.loop.now) <= duration) }
    }
}
