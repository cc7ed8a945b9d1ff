import SegueBase
import SegueContainers
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// Announced instants at which nothing happens, which would keep a virtual clock from advancing.
@Suite struct `Times at which loading continues` {
    private func desktop(_ changes: [String: String] = [:]) throws -> PlatformProfile {
        try Shipped.platform("desktop", changes)
    }

    private func text(_ text: String) -> MemoryFetcher.Answer { (200, Array(text.utf8)) }

    @Test func `a segment to retry leaves the live window`() throws {
        let rig = LiveTitle(window: 3).rig(
            try desktop(["retries-by-kind": "[live-missing 20]"]),
            instead: { request, _ in request.url.hasSuffix("/3.ts") ? (404, []) : nil }
        )
        rig.plan(.pause, at: 2)
        rig.runner.run(until: Instant(seconds: 60))
        #expect(rig.loop.now >= Instant(seconds: 59))
        #expect(!rig.session.isFailed)
        #expect(rig.fetcher.asked.count < 60)
    }

    @Test(arguments: [true, false])
    func `a live variant waits for the playlist of another one`(isSilent: Bool) throws {
        let live = LiveTitle(segmentDuration: 2)
        var rungs = Variants()
        rungs.rungs = [("high", 1_000_000), ("low", 100_000)].map { name, bandwidth in
            Variants.Rung(name: name, bandwidth: bandwidth, audio: ",AUDIO=\"\(name)\"")
        }
        rungs.media = ["high", "low"].map {
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\($0)\",NAME=\"s\",URI=\"sound-\($0)/index.m3u8\"\n"
        }.joined()
        let rig = live.rig(
            try desktop(["retries": "0", "retries-by-kind": "[busy 8]"]),
            instead: { request, now in
                if request.url.hasSuffix("live.m3u8") { return rungs.answer("master.m3u8") }
                if request.url.hasSuffix("low/index.m3u8") { return (503, []) }
                return request.url.hasSuffix("sound-high/8.ts") ? (404, []) : nil
            }
        )
        rig.fetcher.isSilent = { isSilent && $0.url.hasSuffix("low/index.m3u8") }
        rig.runner.run(until: Instant(seconds: 40))
        #expect(rig.loop.now >= Instant(seconds: 10))
        #expect(rig.paths.contains("low/index.m3u8"))
        #expect(rig.fetcher.asked.count < 80)
    }

    @Test func `a resting stream fails with its playlist`() throws {
        let playlist =
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=0\n"
            + (0..<20).map { "#EXTINF:6,\n\($0).ts\n" }.joined()
        let rig = Rig(platform: try desktop(["stuck-reloads": "4"]), titles: []) { request in
            request.url.hasSuffix("m3u8")
                ? text(playlist) : (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: 20_000))
        }
        rig.plan(.open([ItemAddress(full: "http://origin/event.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.runner.run()
        #expect(rig.session.isFailed)
        // The buffer at the failure plays: the platform's limit, in whole segments.
        #expect(rig.trail.heard(at: rig.loop.now) >= .seconds(50))
        #expect(rig.trail.stretches.count == 1)
    }
}
