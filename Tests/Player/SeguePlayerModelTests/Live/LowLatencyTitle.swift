import SegueBase
import SegueContainers
import SegueFetch
import SegueTestSupport

@testable import SeguePlayerModel

/// A low-latency stream from a server in memory, with segments of four seconds and four parts each.
struct LowLatencyTitle {
    static let partsPerSegment = 4

    /// The number of segments at time zero.
    var before = 10
    /// The number of segments after which it ends; nil for never.
    var end: Int?
    /// The attributes of `EXT-X-SERVER-CONTROL`.
    var control = "CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3,CAN-SKIP-UNTIL=24"
    /// Whether blocking requests wait.
    var keepsWaiting = true
    /// Whether there are hints of future parts.
    var hints = true
    /// Text before a segment, or before its parts.
    var heads: (_ segment: Int) -> String = { _ in "" }
    /// Text after the playlist.
    var tail: (Instant) -> String = { _ in "" }
    /// The attributes of a part, apart from its URL and duration.
    var marks: (_ segment: Int, _ part: Int) -> String = { $1 == 0 ? ",INDEPENDENT=YES" : "" }
    /// Bytes per second.
    var weight = 20_000

    /// Returns the number of parts at an instant.
    func parts(at now: Instant) -> Int {
        let made = before * 4 + Int(now.seconds + 1e-9)
        return end.map { min($0 * 4, made) } ?? made
    }

    /// Returns the instant at which a number of parts exist.
    private func instant(of parts: Int) -> Instant {
        Instant(seconds: Double(max(0, min(parts, end.map { $0 * 4 } ?? parts) - before * 4)))
    }

    /// Returns the instant of the response to a blocking request; at once for one that is too far ahead.
    func release(_ url: String) -> Instant {
        let query = Self.query(url)
        if let sequence = query["_HLS_msn"], sequence < 1000 {
            let part = query["_HLS_part"].map { $0 + 1 } ?? 4
            return part > 8 ? .zero : instant(of: sequence * 4 + part)
        }
        guard let (segment, part) = Self.media(url), let part else { return .zero }
        return instant(of: segment * 4 + part + 1)
    }

    func playlist(at now: Instant, skips: Bool) -> String {
        let parts = parts(at: now)
        let count = parts / 4
        let skipped = skips ? max(0, count - 6) : 0
        var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n"
        text += "#EXT-X-SERVER-CONTROL:\(control)\n#EXT-X-MEDIA-SEQUENCE:0\n"
        if skipped > 0 { text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" }
        for number in skipped..<count {
            text += heads(number)
            if number >= count - 3 { for part in 0..<4 { text += tag(number, part) } }
            text += "#EXTINF:4,\n\(number).ts\n"
        }
        if parts % 4 > 0 { text += heads(count) }
        for part in 0..<parts % 4 { text += tag(count, part) }
        if count == end { return text + "#EXT-X-ENDLIST\n" }
        if hints { text += "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(count).\(parts % 4).ts\"\n" }
        return text + tail(now)
    }

    private func tag(_ segment: Int, _ part: Int) -> String {
        "#EXT-X-PART:DURATION=1,URI=\"\(segment).\(part).ts\"\(marks(segment, part))\n"
    }

    func answer(_ url: String, at now: Instant) -> MemoryFetcher.Answer {
        if url.contains(".m3u8") {
            return (200, Array(playlist(at: now, skips: url.contains("_HLS_skip=")).utf8))
        }
        guard let (segment, part) = Self.media(url), segment * 4 + (part ?? 3) < parts(at: now) else {
            return (404, [])
        }
        let size = part == nil ? weight * 4 : weight
        return (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: size))
    }

    /// A rig that plays it.
    func rig(
        _ platform: PlatformProfile,
        line: Line = .wifi,
        instead: @escaping (FetchRequest, Instant) -> MemoryFetcher.Answer? = { _, _ in nil }
    ) -> Rig {
        let rig = Rig(platform: platform, line: line, titles: [])
        let loop = rig.loop
        rig.fetcher.hold = { request in
            keepsWaiting ? max(.zero, release(request.url) - loop.now) : .zero
        }
        rig.fetcher.answer = { request in
            instead(request, loop.now)
                ?? answer(request.url, at: keepsWaiting ? max(loop.now, release(request.url)) : loop.now)
        }
        rig.plan(.open([ItemAddress(full: "http://origin/live.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    /// Returns the number of a segment, and of its part if it is one.
    static func media(_ url: String) -> (segment: Int, part: Int?)? {
        guard let name = url.split(separator: "?").first?.split(separator: "/").last, name.hasSuffix(".ts") else {
            return nil
        }
        let numbers = name.dropLast(3).split(separator: ".").map { Int($0) }
        guard let segment = numbers.first ?? nil else { return nil }
        return (segment, numbers.count > 1 ? numbers[1] : nil)
    }

    private static func query(_ url: String) -> [String: Int] {
        let pairs = url.split(separator: "?").dropFirst().joined().split(separator: "&").map {
            $0.split(separator: "=")
        }
        return Dictionary(
            pairs.compactMap { pair in
                pair.count == 2 ? Int(pair[1]).map { (String(pair[0]), $0) } : nil
            }
        ) { $1 }
    }
}
