import SegueBase
import SegueContainers
import SegueFetch
import SegueTestSupport
import Testing

@testable import SeguePlayerModel

/// Video that is selected again while audio continued.
@Suite struct `Video that returns` {
    private static let master =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"s\",DEFAULT=YES,URI=\"sound/index.m3u8\"\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=1000000,AUDIO=\"a\"\nvideo/index.m3u8\n"

    private func media(_ path: String) -> MemoryFetcher.Answer {
        let isVideo = path.contains("video/")
        let size = isVideo ? 600_000 : 96_000
        return (200, TransportStream.segment(hasVideo: isVideo, hasAudio: !isVideo, size: size))
    }

    /// An app that deselects the video in the background.
    private func rig(_ answer: @escaping (FetchRequest) -> MemoryFetcher.Answer?) throws -> Rig {
        let app = try Shipped.app("renditions")
        let rig = Rig(platform: try Shipped.platform("desktop"), app: app, titles: []) { request in
            request.url.hasSuffix("master.m3u8") ? (200, Array(Self.master.utf8)) : answer(request)
        }
        rig.plan(.open([ItemAddress(full: "http://origin/master.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    @Test func `it is aligned with the audio of a live stream, however much was missed`() throws {
        // The target duration does not measure the missed segments.
        let live = LiveTitle(end: 40)
        let box = Box()
        let rig = try rig { [live] request in
            let now = box.rig?.loop.now ?? .zero
            if request.url.hasSuffix(".ts") { return media(request.url) }
            return (200, Array(live.playlist(at: now).replacing("TARGETDURATION:4", with: "TARGETDURATION:6").utf8))
        }
        box.rig = rig
        rig.plan(.goHome, at: 10)
        rig.plan(.comeBack, at: 70)
        var starts: [StreamRole: [String: Duration]] = [:]
        rig.runner.delivered = { resource, _ in
            guard case .segment(_, let start, _, _, _) = resource.kind else { return }
            starts[resource.stream, default: [:]][String(resource.url.split(separator: "/").last ?? "")] = start
        }
        rig.runner.run()
        #expect(rig.session.isFinished)
        let video = starts[.main] ?? [:]
        #expect(video.values.contains { $0 > .seconds(70) }, "\(video)")
        for (name, start) in video { #expect(start == starts[.audio]?[name], "\(name)") }
    }

    private final class Box {
        var rig: Rig?
    }
}
