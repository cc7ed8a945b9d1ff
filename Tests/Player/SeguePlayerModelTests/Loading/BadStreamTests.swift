import Foundation
import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// Broken or hostile servers and streams: the item fails with an entry in the error log, within limits.
@Suite struct `Bad streams` {
    private func play(
        _ changes: [String: String] = [:],
        limit: Double = 3600,
        set: (MemoryFetcher) -> Void = { _ in },
        _ answer: @escaping (String) -> MemoryFetcher.Answer?
    ) throws -> Rig {
        let rig = Rig(platform: try Shipped.platform("desktop", changes), titles: []) { request in
            answer(request.url.replacing("http://origin/", with: ""))
        }
        set(rig.fetcher)
        rig.plan(.open([ItemAddress(full: "http://origin/index.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        #expect(rig.runner.run(until: Instant(seconds: limit)) == .idle, "it goes on for ever")
        return rig
    }

    private func errors(_ rig: Rig) -> [String] { rig.item?.journal.errors.map(\.error.description) ?? [] }

    private func text(_ text: String) -> MemoryFetcher.Answer { (200, Array(text.utf8)) }

    private func media(_ count: Int = 3) -> MemoryFetcher.Answer { text(Variants.playlist(count, 6)) }

    private var good: MemoryFetcher.Answer {
        (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: 20_000))
    }

    @Test func `a variant that refers to its own multivariant playlist`() throws {
        let rig = try play { _ in text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nindex.m3u8\n") }
        #expect(rig.session.isFailed)
        #expect(errors(rig).last?.contains("is a multivariant playlist") == true)
        #expect(rig.paths.count == 2)
    }

    @Test func `a thousand variants, none of which exists`() throws {
        let list = (0..<1000).map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0 + 1)\n\($0)/i.m3u8\n" }.joined()
        let rig = try play { path in path == "index.m3u8" ? text("#EXTM3U\n\(list)") : (404, []) }
        #expect(rig.session.isFailed)
        #expect(rig.paths.count == 33)
    }

    @Test func `a playlist that is its own segment`() throws {
        let rig = try play { _ in text("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nindex.m3u8\n#EXT-X-ENDLIST\n") }
        #expect(rig.session.isFailed)
        #expect(errors(rig).last?.contains("not a segment") == true)
    }

    @Test(arguments: [
        (TransportStream.segment(hasVideo: true, hasAudio: true, size: 2000, hasMedia: false), "contains no media"),
        (MediaBytes.mp4(seconds: 6), "is a complete MP4 file"),
    ])
    func `a segment without media does not count as heard`(bytes: [UInt8], reason: String) throws {
        let rig = try play { path in path == "index.m3u8" ? media() : (200, bytes) }
        #expect(rig.session.isFailed)
        #expect(errors(rig).last?.contains(reason) == true, "\(errors(rig))")
        #expect(rig.trail.stretches.isEmpty)
    }

    @Test func `a playlist of 50 MB, and one that grows to that size`() throws {
        let great = Array(repeating: UInt8(ascii: "#"), count: 50 << 20)
        let rig = try play { _ in (200, great) }
        #expect(rig.session.isFailed)
        #expect(errors(rig).count == 1 && errors(rig)[0].contains("more than the"))
        var loads = 0
        let growing = try play { path in
            guard path == "index.m3u8" else { return good }
            loads += 1
            if loads == 3 { return (200, great) }
            let list = (0..<3 + loads).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
            return text("#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(list)")
        }
        #expect(growing.session.isFailed)
        #expect(errors(growing).last?.contains("more than the") == true)
        // The media listed by then were played.
        #expect(growing.trail.heard(at: growing.loop.now) > .seconds(10))
    }

    @Test(arguments: [
        ([UInt8](), "the segment is empty"),
        (Array("<!DOCTYPE html><html><body>Please log in</body></html>".utf8), "not a segment"),
        ([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0x11, count: 5000), "not a segment"),
        (Array("WEBVTT\n\n".utf8), "the segment contains subtitles"),
    ])
    func `segments of the wrong kind`(bytes: [UInt8], reason: String) throws {
        let rig = try play { path in path == "index.m3u8" ? media() : path == "0.ts" ? good : (200, bytes) }
        #expect(rig.session.isFailed)
        #expect(rig.trail.heard(at: rig.loop.now) == .seconds(6))
        #expect(errors(rig).last?.contains(reason) == true, "\(errors(rig))")
    }

    @Test func `an endless segment is canceled at a multiple of its announced size`() throws {
        let endless = Array(repeating: UInt8(0x47), count: 10 << 20)
        let rig = try play { path in
            if path == "index.m3u8" { return text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\nv.m3u8\n") }
            return path == "v.m3u8" ? media() : path == "0.ts" ? good : (200, endless)
        }
        #expect(rig.session.isFailed)
        #expect(errors(rig).last?.contains("bytes allowed") == true)
        // The maximum size: eight times the announced rate, plus 8 MiB.
        #expect(rig.fetcher.asked.last?.limit == 600_000 + (8 << 20))
    }

    @Test func `media with codecs other than those announced`() throws {
        let rig = try play { path in
            if path == "index.m3u8" {
                return text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS=\"hvc1.1.6.L93,mp4a.40.2\"\nv.m3u8\n")
            }
            return path == "v.m3u8" ? media() : good
        }
        #expect(rig.session.isFailed)
        #expect(errors(rig).last?.contains("h264, but the playlist declares hvc1.1.6.L93,mp4a.40.2") == true)
    }

    @Test(arguments: ["index.m3u8", "0.ts"])
    func `a server that sends one byte per second`(trickling: String) throws {
        let rig = try play(
            limit: 600,
            set: { $0.trickle = { $0.url.hasSuffix(trickling) ? .seconds(1) : nil } },
            { path in path == "index.m3u8" ? media() : good }
        )
        #expect(rig.session.isFailed)
        #expect(errors(rig).count == 3)
        #expect(errors(rig).allSatisfy { $0.contains("bytes were received in 30") }, "\(errors(rig))")
    }

    @Test func `a playlist that lost its end continues with its previous contents`() throws {
        let live = LiveTitle(end: 12)
        let rig = live.rig(try Shipped.platform("desktop")) { text, now in
            guard now.seconds > 9, now.seconds < 11, let cut = text.range(of: "#EXTINF", options: .backwards) else {
                return text
            }
            return String(text[..<cut.lowerBound])
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
    }

    /// GStreamer does not play the last received media as long as more may follow.
    @Test(arguments: ["desktop", "gstreamer", "vlc"])
    func `segments that came and went between two reloads are skipped visibly`(platform: String) throws {
        let rig = LiveTitle(window: 3, before: 3, end: 30).rig(
            try Shipped.platform(platform),
            instead: { request, now in
                request.url.hasSuffix(".m3u8") && now.seconds > 5 && now.seconds < 30 ? (503, []) : nil
            }
        )
        rig.runner.run()
        #expect(rig.session.isFinished, "\(rig.session.stateDescription(at: rig.loop.now))")
        let codes = rig.item?.journal.errors.map(\.error.code) ?? []
        #expect(codes.contains(503) && codes.contains(PlaybackError.PlaylistCode.lost.rawValue))
        #expect(rig.kinds.contains { if case .itemTimeJumped = $0 { true } else { false } })
    }

    @Test func `a redirected playlist has segments relative to its new URL`() throws {
        let rig = try play(
            set: { $0.movedTo = { $0.hasSuffix("index.m3u8") ? "http://elsewhere/deep/index.m3u8" : $0 } },
            { path in path == "index.m3u8" ? media() : good }
        )
        #expect(rig.session.isFinished)
        #expect(rig.paths.dropFirst().first == "http://elsewhere/deep/0.ts")
    }
}
