import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport

@testable import SeguePlayerModel

/// A multivariant stream in memory: 60 s in variants of several bit rates.
struct Variants {
    struct Rung {
        var name: String
        var bandwidth: Int
        /// The declared average bit rate; nil for the peak, without a declaration.
        var average: Int?
        var segmentDuration = 6
        var codecs = ""
        var audio = ""
    }

    var rungs = [
        Rung(name: "low", bandwidth: 500_000), Rung(name: "middle", bandwidth: 1_000_000),
        Rung(name: "high", bandwidth: 3_000_000),
    ]
    var duration = 60
    /// Text before the variants.
    var media = ""

    func answer(_ path: String) -> MemoryFetcher.Answer? {
        if path == "master.m3u8" {
            var text = "#EXTM3U\n\(media)"
            for rung in rungs {
                text += "#EXT-X-STREAM-INF:BANDWIDTH=\(rung.bandwidth)"
                if let average = rung.average { text += ",AVERAGE-BANDWIDTH=\(average)" }
                if !rung.codecs.isEmpty { text += ",CODECS=\"\(rung.codecs)\"" }
                text += "\(rung.audio)\n\(rung.name)/index.m3u8\n"
            }
            return (200, Array(text.utf8))
        }
        let parts = path.split(separator: "/")
        guard parts.count == 2, let rung = rungs.first(where: { $0.name == parts[0] }) else { return nil }
        let count = duration / rung.segmentDuration
        if parts[1] == "index.m3u8" { return (200, Array(Variants.playlist(count, rung.segmentDuration).utf8)) }
        guard let number = Int(parts[1].dropLast(3)), number < count else { return (404, []) }
        let size = (rung.average ?? rung.bandwidth) / 8 * rung.segmentDuration
        return (200, TransportStream.segment(hasVideo: true, hasAudio: rung.audio.isEmpty, size: size))
    }

    static func playlist(_ count: Int, _ duration: Int, suffix: String = "ts") -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:\(duration)\n"
            + (0..<count).map { "#EXTINF:\(duration),\n\($0).\(suffix)\n" }.joined() + "#EXT-X-ENDLIST\n"
    }

    func rig(
        _ platform: PlatformProfile,
        line: Line,
        instead: @escaping (FetchRequest) -> MemoryFetcher.Answer? = { _ in nil }
    ) -> Rig {
        let rig = Rig(platform: platform, line: line, titles: []) { request in
            instead(request) ?? answer(request.url.replacing("http://origin/", with: ""))
        }
        rig.fetcher.pieces = 20
        rig.plan(.open([ItemAddress(full: "http://origin/master.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }
}

extension Rig {
    /// The chosen variants, by the folder of their playlist.
    var chosen: [String] {
        kinds.compactMap { kind in
            guard case .playlistVariantChosen(_, let url, _) = kind else { return nil }
            return url.split(separator: "/").dropLast().last.map(String.init)
        }
    }

    /// The requested paths, in order.
    var paths: [String] { fetcher.asked.map { $0.url.replacing("http://origin/", with: "") } }

    /// The current item, or the one that has left the queue.
    var item: PlayerItem? { session.player.current ?? session.player.removed.last }
}
