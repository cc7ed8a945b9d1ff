import SegueBase
import SegueContainers
import SegueEvents
import SegueFetch
import SegueTestSupport

@testable import SeguePlayerModel

/// A title of one minute that starts at midnight, with interstitials and their assets.
struct InterruptedTitle {
    /// The attributes of date ranges in the playlist.
    var ranges: [String]
    /// Additional files, by path without the query.
    var files: [String: String] = [:]
    var assets = [Title(name: "ad", duration: 10), Title(name: "clip", duration: 8)]

    static let asset = "X-ASSET-URI=\"ad/full.m3u8\""

    /// A date range of an interstitial, in seconds after midnight.
    static func range(_ id: String, at seconds: Double, _ attributes: String) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let rest = "\(thousandths % 60_000 / 1000 + 100).\(thousandths % 1000 + 1000)".split(separator: ".")
        let time = "00:\(thousandths / 60_000 + 10):\(rest[0].dropFirst()).\(rest[1].dropFirst())"
        return "#EXT-X-DATERANGE:ID=\"\(id)\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"2026-01-01T\(time)Z\",\(attributes)"
    }

    var playlist: String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n" + ranges.map { $0 + "\n" }.joined()
            + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:10:00.000Z\n"
            + (0..<10).map { "#EXTINF:6,\nmain/\($0).ts\n" }.joined() + "#EXT-X-ENDLIST\n"
    }

    func answer(_ url: String) -> MemoryFetcher.Answer? {
        let path = url.replacing("http://origin/", with: "").prefix { $0 != "?" }
        if path == "main.m3u8" { return (200, Array(playlist.utf8)) }
        if let file = files[String(path)] { return (200, Array(file.utf8)) }
        if path.hasPrefix("main/") {
            return (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: 90_000))
        }
        return assets.lazy.compactMap { $0.answer(String(path)) }.first
    }

    /// A rig that plays it from the start.
    func rig(
        _ platform: PlatformProfile,
        line: Line = .wifi,
        seed: UInt64 = 1,
        instead: @escaping (FetchRequest) -> MemoryFetcher.Answer? = { _ in nil }
    ) -> Rig {
        let rig = Rig(platform: platform, line: line, seed: seed, titles: []) { request in
            instead(request) ?? answer(request.url)
        }
        let name = files["master.m3u8"] == nil ? "main.m3u8" : "master.m3u8"
        rig.plan(.open([ItemAddress(full: "http://origin/\(name)")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }
}

extension Rig {
    /// The played items with their ranges in seconds: `item-1 0-20`.
    var played: [String] {
        trail.stretches(at: loop.now).map { stretch in
            let ends = [stretch.start, stretch.end].map { Int(($0.seconds * 1000).rounded()) }
            return "\(stretch.item) "
                + ends.map { $0 % 1000 == 0 ? "\($0 / 1000)" : "\(Double($0) / 1000)" }
                .joined(separator: "-")
        }
    }

    /// The events of interstitials: `ad began 20`, `ad played 10 at 20`, `ad failed`.
    var breaks: [String] {
        kinds.compactMap { kind in
            switch kind {
            case .interstitialBegan(_, let id, let position): "\(id) began \(position.rounded(to: 3))"
            case .interstitialFailed(_, let id, _, _): "\(id) failed"
            case .interstitialEnded(_, let id, let reason, let played, let position):
                "\(id) \(reason) \(played.rounded(to: 3)) at \(position.rounded(to: 3))"
            default: nil
            }
        }
    }

    /// The longest silence between two stretches.
    var longestBreak: Duration {
        let all = trail.stretches(at: loop.now)
        return zip(all, all.dropFirst()).map { $1.began - $0.ended }.max() ?? .zero
    }
}

extension Double {
    fileprivate func rounded(to places: Int) -> String {
        let thousandths = Int((self * 1000).rounded())
        return thousandths % 1000 == 0 ? "\(thousandths / 1000)" : "\(Double(thousandths) / 1000)"
    }
}
