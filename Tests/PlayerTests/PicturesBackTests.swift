import Fetch
import TestSupport
import Testing
import Timeline

@testable import Player

/// Pictures that are taken up again beside sound that went on.
@Suite struct `Pictures that come back` {
    private static let master =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"s\",DEFAULT=YES,URI=\"sound/index.m3u8\"\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=1000000,AUDIO=\"a\"\nvideo/index.m3u8\n"

    private func media(_ path: String) -> MemoryFetcher.Answer {
        let isVideo = path.contains("video/")
        let size = isVideo ? 600_000 : 96_000
        return (200, TransportStream.segment(hasVideo: isVideo, hasAudio: !isVideo, size: size))
    }

    @Test func `they lie beside the sound of a live stream, however much was missed`() throws {
        // The target duration is no measure of the segments that were missed.
        let rig = LiveTitle(end: 40).rig(
            try Shipped.platform("desktop"),
            change: { text, _ in text.replacing("TARGETDURATION:4", with: "TARGETDURATION:6") },
            instead: { request, _ in
                if request.url.hasSuffix("live.m3u8") { return (200, Array(Self.master.utf8)) }
                return request.url.hasSuffix(".ts") ? media(request.url) : nil
            }
        )
        rig.plan(.setVideoEnabled(false), at: 10)
        rig.plan(.setVideoEnabled(true), at: 70)
        var starts: [StreamRole: [String: Duration]] = [:]
        rig.runner.delivered = { resource, _ in
            guard case .segment(_, let start, _, _, _) = resource.kind else { return }
            starts[resource.stream, default: [:]][String(resource.url.split(separator: "/").last ?? "")] = start
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        let pictures = starts[.main] ?? [:]
        #expect(pictures.values.contains { $0 > .seconds(70) }, "\(pictures)")
        for (name, start) in pictures { #expect(start == starts[.audio]?[name], "\(name)") }
    }

    @Test func `they are begun ahead of the playhead where the line is too slow to catch up with it`() throws {
        let box = Box()
        let rig = Rig(platform: try Shipped.platform("desktop"), titles: []) { request in
            // A segment of pictures takes a little less long than it plays.
            if box.rig?.loop.now ?? .zero > Instant(seconds: 13) { box.rig?.fetcher.line.bitsPerSecond = 850_000 }
            if request.url.hasSuffix("master.m3u8") { return (200, Array(Self.master.utf8)) }
            if request.url.hasSuffix("m3u8") { return (200, Array(Variants.playlist(20, 6).utf8)) }
            return media(request.url)
        }
        box.rig = rig
        rig.plan(.open([ItemAddress(full: "http://origin/master.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        rig.plan(.setVideoEnabled(false), at: 2)
        rig.plan(.setVideoEnabled(true), at: 15)
        rig.runner.run(until: Instant(seconds: 40))
        let shown = rig.runner.log.events.filter { if case .pictureBegan = $0.kind { true } else { false } }
        #expect(shown.count == 2)
        #expect(shown.last.map { $0.at < Instant(seconds: 38) } == true)
        let asked = rig.fetcher.asked.map(\.url).filter { $0.contains("/video/") && $0.hasSuffix(".ts") }
        #expect(Set(asked).count == asked.count, "\(asked)")
    }

    private final class Box {
        var rig: Rig?
    }
}
