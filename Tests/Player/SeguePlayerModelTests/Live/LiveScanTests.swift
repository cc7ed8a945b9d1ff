import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// A live stream with segments of four seconds, and an I-frame every two seconds.
private struct LiveScanned {
    var title = LiveTitle(window: 20, before: 20)

    private func frames(at now: Instant) -> String {
        let count = title.count(at: now) * 2
        let first = max(0, count - (title.window ?? count) * 2)
        var text = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        text += "#EXT-X-I-FRAMES-ONLY\n\(date(of: first / 2))"
        for number in first..<count {
            text += "#EXTINF:2,\n#EXT-X-BYTERANGE:4000@\(number % 2 * 4000)\nframes/\(number / 2).ts\n"
        }
        return text + (title.count(at: now) == title.end ? "#EXT-X-ENDLIST\n" : "")
    }

    private func date(of segment: Int) -> String {
        let seconds = segment * 4
        let digits = [seconds / 600, seconds / 60 % 10, seconds % 60 / 10, seconds % 10]
        let time = "\(digits[0])\(digits[1]):\(digits[2])\(digits[3])"
        return "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:\(time)Z\n"
    }

    func rig(
        _ platform: PlatformProfile,
        line: Line = .wifi,
        instead: @escaping (FetchRequest, Instant) -> MemoryFetcher.Answer? = { _, _ in nil }
    ) -> Rig {
        let master =
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=400000\nmain/index.m3u8\n"
            + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=16000,URI=\"frames.m3u8\"\n"
        return title.rig(
            platform,
            line: line,
            change: { text, now in
                let first = max(0, title.count(at: now) - (title.window ?? title.count(at: now)))
                return text.replacing("#EXTINF", with: date(of: first) + "#EXTINF", maxReplacements: 1)
            },
            instead: { request, now in
                if let other = instead(request, now) { return other }
                if request.url.hasSuffix("/live.m3u8") { return (200, Array(master.utf8)) }
                if request.url.hasSuffix("/frames.m3u8") { return (200, Array(frames(at: now).utf8)) }
                guard request.url.contains("/frames/") else { return nil }
                let number = Int(request.url.split(separator: "/").last?.dropLast(3) ?? "") ?? 0
                let isThere = number >= title.count(at: now) - (title.window ?? number) && number < title.count(at: now)
                return isThere ? (206, [UInt8](repeating: 1, count: 4000)) : (404, [])
            }
        )
    }
}

extension Rig {
    /// The positions of the frames shown, in seconds.
    fileprivate var frames: [Double] {
        kinds.compactMap { if case .scanFrame(_, let position) = $0 { position } else { nil } }
    }

    fileprivate var ends: [String] {
        kinds.compactMap { kind in
            if case .scanEnded(_, let position, _, let reason) = kind { "\(reason) \(position)" } else { nil }
        }
    }
}

@Suite struct `Scanning a live stream` {
    private func ios() throws -> PlatformProfile { try Shipped.platform("ios-15") }

    @Test func `a backward scan ends at the start of the present window`() throws {
        let rig = LiveScanned().rig(try ios())
        // Starts at 78 s. At 17.75 s it is at 16 s, where the window starts since 16 s.
        rig.plan(.scan(-8), at: 10)
        rig.runner.run(until: Instant(seconds: 25))
        #expect(rig.ends == ["start 16.0"])
        let frames = rig.frames
        #expect(frames.first == 76 && frames.last == 16, "\(frames)")
        for (one, next) in zip(frames, frames.dropFirst()) { #expect(next == one - 2) }
        #expect(rig.trail.stretches(at: rig.loop.now).last?.start == .seconds(16))
        let errors = rig.session.player.current?.journal.errors ?? []
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test func `a forward scan covers new media, up to the limit of seeks`() throws {
        let rig = LiveScanned().rig(try ios())
        rig.plan(.seek(to: .seconds(20), toleranceBefore: .zero, toleranceAfter: .zero), at: 5)
        // Starts at 25 s, when 88 s are listed. At 26.75 s it is at 92 s, and 104 s are listed since 24 s.
        rig.plan(.scan(4), at: 10)
        rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.ends == ["end 92.0"])
        let frames = rig.frames
        // The last frame is the one at its end.
        #expect(frames.last == 92, "\(frames)")
        for (one, next) in zip(frames, frames.dropFirst()) { #expect(next == one + 2) }
        let last = try #require(rig.trail.stretches(at: rig.loop.now).last)
        #expect(last.start == .seconds(92) && last.began < Instant(seconds: 28))
        #expect(!rig.session.isFinished)
    }

    @Test func `a refused I-frame playlist ends the scan, and playback continues`() throws {
        let rig = LiveScanned().rig(try ios()) { request, now in
            request.url.hasSuffix("/frames.m3u8") && now.seconds > 12 ? (403, []) : nil
        }
        rig.plan(.scan(-2), at: 10)
        rig.runner.run(until: Instant(seconds: 25))
        #expect(rig.ends.count == 1 && rig.ends[0].hasPrefix("failed"), "\(rig.ends)")
        #expect(rig.session.player.timeControl == .playing)
    }

    @Test(arguments: 0..<60)
    func `every run over a moving window ends and leaves no requests behind`(number: Int) throws {
        var random = SeededRandom(seed: UInt64(number))
        var faults = random.split()
        let line = Line(delay: .milliseconds(20), bitsPerSecond: 100_000 + random.nextUnit() * 3_000_000)
        let scanned = LiveScanned(title: LiveTitle(window: 3 + number % 5, before: 8, end: 60))
        let rig = scanned.rig(try ios(), line: line) { _, _ in faults.nextUnit() < 0.03 ? (404, []) : nil }
        var time = 0.0
        for _ in 0..<25 {
            time += random.nextUnit() * 9
            let commands: [SessionCommand] = [
                .play, .pause, .scan(8), .scan(-8), .scan(2), .scan(-2), .endScan, .goHome, .comeBack,
                .seek(to: .seconds(time), toleranceBefore: .zero, toleranceAfter: nil),
            ]
            rig.plan(commands[Int(random.nextUnit() * Double(commands.count))], at: time)
        }
        rig.plan(.endScan, at: time + 1)
        rig.plan(.play, at: time + 2)
        let ending = rig.runner.run(until: Instant(seconds: 5000))
        #expect(ending == .idle)
        let names = rig.kinds.map(\.name)
        let over = ["request.finished", "request.failed", "request.cancelled"]
        #expect(names.count { $0 == "request.began" } == names.count { over.contains($0) })
    }
}
