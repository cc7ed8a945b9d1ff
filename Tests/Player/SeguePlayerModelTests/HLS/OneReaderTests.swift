import SegueBase
import SegueContainers
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// A player that opens and reads with one thread, and reads nothing while it waits.
@Suite struct `One reader` {
    private static let audio = TransportStream.segment(hasVideo: false, hasAudio: true, size: 200_000)
    private static let video = TransportStream.segment(hasVideo: true, hasAudio: false, size: 200_000)
    private static let both = TransportStream.segment(hasVideo: true, hasAudio: true, size: 200_000)

    private func bench(_ changes: [String: String], entry: String, playlists: Int) throws -> Bench {
        let always = ["counts": "bytes", "keep-up-least": "1 s", "keep-up-enough": "1 s", "start-segments": "none"]
        var bench = Bench(try Shipped.platform("desktop", always.merging(changes) { $1 }))
        bench.insert("http://origin/master.m3u8")
        bench.answer((200, Array(("#EXTM3U\n" + entry).utf8)))
        for _ in 0..<playlists { bench.answer((200, Array(Variants.playlist(10, 6).utf8))) }
        return bench
    }

    private func request(_ part: String, _ bench: Bench) throws -> FetchRequest {
        try #require(bench.requests.first { $0.url.hasSuffix(part) })
    }

    @Test func `nothing is read while the next segment opens, where that holds reading`() throws {
        var bench = try bench(
            ["prefetch": "true", "prefetch-holds": "true"],
            entry: "#EXT-X-STREAM-INF:BANDWIDTH=1000000\nvideo/index.m3u8\n",
            playlists: 1
        )
        let first = try request("video/0.ts", bench)
        bench.begin(first, Self.both, first: 1000)
        let second = try request("video/1.ts", bench)
        #expect(bench.stopped == [first.id] && bench.read.isEmpty)
        // The head of its response is read, and the rest when it is next.
        bench.begin(second, Self.both, first: 0)
        #expect(bench.stopped == [first.id, second.id] && bench.read == [first.id])
        bench.come(first, Array(Self.both.dropFirst(1000)), isAll: true)
        // It is next, but the one after it opens before it is read.
        let third = try request("video/2.ts", bench)
        #expect(bench.read == [first.id])
        bench.begin(third, Self.both, first: 0)
        #expect(bench.stopped == [first.id, second.id, third.id] && bench.read == [first.id, second.id])
    }

    @Test func `a stream that is ahead is not read where all are read in step`() throws {
        var bench = try bench(
            ["renditions": "in-step"],
            entry: "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"s\",DEFAULT=YES,URI=\"sound/index.m3u8\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1000000,AUDIO=\"a\"\nvideo/index.m3u8\n",
            playlists: 2
        )
        let (seen, heard) = (try request("video/0.ts", bench), try request("sound/0.ts", bench))
        bench.begin(heard, Self.audio, first: 100_000)
        #expect(bench.stopped == [heard.id] && bench.read.isEmpty)
        bench.begin(seen, Self.video, first: 150_000)
        #expect(bench.stopped == [heard.id, seen.id] && bench.read == [heard.id])
    }

    @Test(arguments: ["by-need", "in-step"])
    func `a variant that is not played is closed, or read to the end of its segment`(renditions: String) throws {
        let isRead = renditions == "in-step"
        var bench = try bench(
            ["probes": "variants", "first-variant": "highest", "switching": "never", "renditions": renditions],
            entry: "#EXT-X-STREAM-INF:BANDWIDTH=900000\nhigh/index.m3u8\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=300000\nlow/index.m3u8\n",
            playlists: 2
        )
        let low = try request("low/0.ts", bench)
        bench.begin(low, Self.both, first: 60_000)
        #expect(bench.stopped == [low.id])
        let high = try request("high/0.ts", bench)
        bench.begin(high, Self.both, first: 90_000)
        #expect(bench.requests.contains { $0.id == low.id } == isRead)
        guard isRead else { return }
        // It was behind and held the other one; now it is ahead.
        #expect(bench.read == [low.id] && bench.stopped == [low.id, high.id])
        bench.come(low, Array(Self.both[60_000..<100_000]))
        #expect(bench.read == [low.id, high.id] && bench.stopped == [low.id, high.id, low.id])
        bench.come(low, Array(Self.both.dropFirst(100_000)), isAll: true)
        bench.pass(.seconds(30))
        #expect(bench.requests.allSatisfy { !$0.url.hasSuffix("low/1.ts") })
    }

    @Test func `a seek ends the reading of variants that are not played`() throws {
        var bench = try bench(
            ["probes": "variants", "first-variant": "highest", "switching": "never", "renditions": "in-step"],
            entry: "#EXT-X-STREAM-INF:BANDWIDTH=900000\nhigh/index.m3u8\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=300000\nlow/index.m3u8\n",
            playlists: 2
        )
        let low = try request("low/0.ts", bench)
        bench.begin(low, Self.both, first: 60_000)
        bench.begin(try request("high/0.ts", bench), Self.both, first: 90_000)
        #expect(bench.requests.contains { $0.id == low.id })
        bench.act { $0.seek(to: .seconds(40), at: $1) }
        #expect(bench.requests.allSatisfy { $0.id != low.id })
    }
}
