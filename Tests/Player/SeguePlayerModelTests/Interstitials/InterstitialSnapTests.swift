import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

/// The expected effect of a snapped interstitial, with video segments of six seconds and audio segments of four.
private struct Snap: Sendable, CustomTestStringConvertible {
    let date: Double
    let attributes: String
    let expected: [String]

    var testDescription: String { "\(date) s, \(attributes)" }

    /// The same with the names of items.
    var played: [String] { expected.map { $0 == "ad" ? "item-2 0-10" : "item-1 \($0)" } }
}

@Suite struct `Interstitials at segment boundaries` {
    private typealias Made = InterruptedTitle

    @Test(arguments: [
        // Video has boundaries at 0, 6, 12, 18, 24, 30…; audio at 0, 4, 8, 12, 16, 20, 24, 28… The nearest ones to 20
        // are 18 and 20; to 17, 18 and 16; to 28, 30 and 28; to 33, 30 and 32.
        Snap(date: 20, attributes: "X-RESUME-OFFSET=0,X-SNAP=\"OUT\"", expected: ["0-18", "ad", "18-60"]),
        Snap(date: 17, attributes: "X-RESUME-OFFSET=0,X-SNAP=\"OUT\"", expected: ["0-16", "ad", "16-60"]),
        Snap(date: 28, attributes: "X-RESUME-OFFSET=0,X-SNAP=\"OUT\"", expected: ["0-28", "ad", "28-60"]),
        Snap(date: 20, attributes: "X-RESUME-OFFSET=8,X-SNAP=\"IN\"", expected: ["0-20", "ad", "30-60"]),
        Snap(date: 20, attributes: "X-RESUME-OFFSET=5,X-SNAP=\"IN\"", expected: ["0-20", "ad", "24-60"]),
        Snap(date: 20, attributes: "X-RESUME-OFFSET=13,X-SNAP=\"IN\"", expected: ["0-20", "ad", "32-60"]),
        Snap(date: 20, attributes: "X-RESUME-OFFSET=13,X-SNAP=\"OUT,IN\"", expected: ["0-18", "ad", "32-60"]),
    ])
    fileprivate func `of two playlists' nearest boundaries, the item stops at the earliest and continues at the latest`(
        snap: Snap
    ) throws {
        var made = Made(ranges: [Made.range("ad", at: snap.date, "\(Made.asset),\(snap.attributes)")])
        made.files["master.m3u8"] =
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",DEFAULT=YES,URI=\"sound/list.m3u8\"\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=1000000,AUDIO=\"a\"\nmain.m3u8\n"
        made.files["sound/list.m3u8"] = Variants.playlist(15, 4)
        let rig = made.rig(try Shipped.platform("ios-15", ["notice-order": "as-happened"])) { request in
            let isAudio = request.url.contains("/sound/") && request.url.hasSuffix(".ts")
            guard isAudio || request.url.contains("/main/") else { return nil }
            return (200, TransportStream.segment(hasVideo: !isAudio, hasAudio: isAudio, size: 60_000))
        }
        rig.runner.run(until: Instant(seconds: 400))
        #expect(rig.played == snap.played, "\(rig.breaks)")
    }
}
