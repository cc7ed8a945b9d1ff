import SegueBase
import SegueContainers
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// A platform that reads separate audio and video in turn, audio first, and delivers fragments as it reads.
@Suite struct `Audio before video` {
    /// A title on a link without delay, with an optional segment duration for separate audio.
    private func rig(
        _ title: MeasuredTitle,
        _ changes: [String: String] = [:],
        rate: Double = 4_000_000,
        audio: Double? = nil
    ) throws -> Rig {
        let line = Line(delay: .zero, bitsPerSecond: rate)
        let rig = Rig(platform: try Shipped.platform("vlc", changes), line: line, titles: []) { request in
            let path = String(request.url.dropFirst("http://origin/".count))
            let answer = title.answer(path)
            guard let audio, path == "s/i.m3u8" else { return answer }
            let text = String(decoding: answer.bytes, as: UTF8.self)
            let lines = text.split(separator: "\n").map { $0.hasPrefix("#EXTINF") ? "#EXTINF:\(audio)," : "\($0)" }
            return (answer.status, Array(lines.joined(separator: "\n").utf8))
        }
        rig.fetcher.pieces = 200
        rig.plan(.open([ItemAddress(full: "http://origin/entry.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    /// Returns the requests before playback, and the run until then.
    private func asked(_ make: () throws -> Rig) throws -> (paths: [String], rig: Rig) {
        let whole = try make()
        whole.runner.run()
        let began = try #require(whole.trail.stretches.first?.began)
        let rig = try make()
        rig.runner.run(until: began)
        return (rig.paths, rig)
    }

    @Test(arguments: [
        (true, ["entry.m3u8", "s/i.m3u8", "s/init.mp4", "s/0.m4s", "s/1.m4s", "v1/i.m3u8", "v1/init.mp4", "v1/0.m4s"]),
        (false, ["entry.m3u8", "v0/i.m3u8", "s/i.m3u8", "s/init.mp4", "s/0.m4s", "v0/init.mp4", "v0/0.m4s"]),
    ])
    func `the video playlist waits for audio, or comes first`(waits: Bool, first: [String]) throws {
        let rig = try rig(.k, ["pictures-wait": "\(waits)"])
        rig.runner.run()
        #expect(Array(rig.paths.prefix(first.count)) == first)
        #expect(rig.session.isFinished)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(88))
    }

    /// The variants declare 466 and 1241 kbit/s.
    @Test(arguments: [(300_000.0, "v0"), (1_200_000, "v0"), (1_300_000, "v1"), (4_000_000, "v1")])
    func `the first variant is the highest below the bandwidth measured with audio`(rate: Double, first: String) throws
    {
        let rig = try rig(.k, rate: rate)
        rig.runner.run(until: Instant(seconds: 20))
        #expect(rig.chosen.first == first)
    }

    @Test func `missing audio fails the item before there is video`() throws {
        let rig = Rig(platform: try Shipped.platform("vlc"), line: .wifi, titles: []) { request in
            let path = String(request.url.dropFirst("http://origin/".count))
            return path == "s/0.m4s" ? (404, []) : MeasuredTitle.k.answer(path)
        }
        rig.plan(.open([ItemAddress(full: "http://origin/entry.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run(until: Instant(seconds: 600))
        #expect(rig.session.isFailed)
        #expect(!rig.paths.contains { $0.hasPrefix("v") })
    }

    @Test func `a live audio playlist keeps reloading while the first audio segment is slow`() throws {
        let audio = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"s\",DEFAULT=YES,URI=\"s/live.m3u8\"\n"
        let entry = "#EXTM3U\n\(audio)#EXT-X-STREAM-INF:BANDWIDTH=1000000,AUDIO=\"a\"\nv/live.m3u8\n"
        let rig = LiveTitle(end: 12).rig(try Shipped.platform("vlc")) { text, _ in
            text
        } instead: { request, _ in
            request.url == "http://origin/live.m3u8" ? (200, Array(entry.utf8)) : nil
        }
        rig.fetcher.hold = { $0.url.contains("/s/") && $0.url.hasSuffix(".ts") ? .seconds(10) : .zero }
        rig.runner.run(until: Instant(seconds: 9))
        #expect(rig.paths.count { $0 == "s/live.m3u8" } > 2 && !rig.paths.contains("v/live.m3u8"))
        rig.fetcher.hold = { _ in .zero }
        rig.runner.run()
        #expect(rig.session.isFinished && !rig.session.isFailed)
        #expect(rig.paths.contains("v/live.m3u8"))
        #expect(rig.trail.heard(at: rig.loop.now) > .seconds(20))
    }

    // MARK: Delivery

    /// Audio is read again when video is further, which takes one more video fragment where it is longer.
    @Test(arguments: [(4.01, 2), (4, 1), (3.99, 1)])
    func `playback begins when both have been read in turn`(audio: Double, number: Int) throws {
        let (paths, _) = try asked { try rig(.k, audio: audio) }
        #expect(paths.filter { $0.hasPrefix("v") }.last == "v1/\(number).m4s", "\(paths)")
    }

    @Test func `a fragment is delivered with a block of the next one`() throws {
        let (paths, run) = try asked { try rig(.i, rate: 1_000_000) }
        #expect(paths.last == "1.m4s")
        let client = try #require(run.session.player.current?.client as? HLSStreaming)
        let come = try #require(client.streams.all[0].request.progress).bytes.count
        #expect(come >= StreamLoader.block && come < StreamLoader.block + 4_000)
        // The clock's last step waits for the next fragment.
        #expect(client.bufferedEnd(from: .zero) == .milliseconds(3750))
    }

    @Test func `all of the previous variant is delivered when the next initialization section has arrived`() throws {
        let (paths, run) = try asked { try rig(.m, rate: 1_000_000) }
        #expect(paths.suffix(2) == ["v0/init.mp4", "v0/1.m4s"])
        let client = try #require(run.session.player.current?.client as? HLSStreaming)
        #expect((client.streams.all[0].request.progress?.bytes.count ?? 0) < StreamLoader.block)
        #expect(client.bufferedEnd(from: .zero) == .seconds(10))
    }

    // MARK: Connections

    @Test
    func
        `the item's URL, and the playlist beside audio, have connections of their own, and initializations keep theirs`()
        throws
    {
        let rig = try rig(.k)
        rig.runner.run(until: Instant(seconds: 5))
        let own = rig.fetcher.asked.filter { !$0.lane.isEmpty }.map { $0.url.dropFirst("http://origin/".count) }
        #expect(own == ["entry.m3u8", "v1/i.m3u8"])
        let keeping = rig.fetcher.asked.filter(\.keepsConnection).map { $0.url.dropFirst("http://origin/".count) }
        #expect(keeping == ["s/init.mp4", "v1/init.mp4"])
    }
}
