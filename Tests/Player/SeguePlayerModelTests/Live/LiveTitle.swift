import SegueBase
import SegueContainers
import SegueFetch
import SegueTestSupport

@testable import SeguePlayerModel

/// A live playlist from a server in memory, with a new segment at a fixed interval.
struct LiveTitle {
    var segmentDuration = 4
    /// The number of segments in the playlist; nil for all since the beginning.
    var window: Int? = 5
    /// The number of segments at time zero.
    var before = 5
    /// The number of segments after which the playlist ends; nil for never.
    var end: Int?
    /// Text before the segments.
    var head = ""

    /// Returns the number of segments at an instant.
    func count(at now: Instant) -> Int {
        let made = before + Int(now.seconds / Double(segmentDuration))
        return end.map { min($0, made) } ?? made
    }

    func playlist(at now: Instant) -> String {
        let count = count(at: now)
        let first = window.map { max(0, count - $0) } ?? 0
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(segmentDuration)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(first)\n\(head)"
        for number in first..<count { text += "#EXTINF:\(segmentDuration),\n\(number).ts\n" }
        return text + (count == end ? "#EXT-X-ENDLIST\n" : "")
    }

    /// A rig that plays it; `change` may replace its playlists.
    func rig(
        _ platform: PlatformProfile,
        line: Line = .wifi,
        change: @escaping (String, Instant) -> String = { text, _ in text },
        instead: @escaping (FetchRequest, Instant) -> MemoryFetcher.Answer? = { _, _ in nil }
    ) -> Rig {
        let clock = Clock()
        let rig = Rig(platform: platform, line: line, titles: []) { request in
            let now = clock.loop?.now ?? .zero
            if let other = instead(request, now) { return other }
            if request.url.hasSuffix(".m3u8") { return (200, Array(change(playlist(at: now), now).utf8)) }
            let name = request.url.split(separator: "/").last?.dropLast(3) ?? ""
            guard let number = Int(name), number < count(at: now),
                number >= (window.map { count(at: now) - $0 - 2 } ?? 0)
            else { return (404, []) }
            return (200, TransportStream.segment(hasVideo: true, hasAudio: true, size: 20_000))
        }
        clock.loop = rig.loop
        rig.plan(.open([ItemAddress(full: "http://origin/live.m3u8")]), at: 0)
        rig.plan(.play, at: 0)
        return rig
    }

    private final class Clock {
        var loop: EventLoop<SessionInput>?
    }
}
