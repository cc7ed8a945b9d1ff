import SegueBase
import SegueContainers
import SegueFetch
import SegueNetworkModel
import SegueTestSupport

@testable import SeguePlayerModel

/// The titles with which real players were measured, at constant bit rates: `a` to `f` of 60 s by hand, the others of
/// 90 s by Tools/run players.
enum MeasuredTitle: String {
    /// A media playlist of transport streams, 427 kbit/s.
    case a
    /// fMP4, 1200 kbit/s, video and audio in one fragment per segment.
    case b
    /// Transport streams of 816, 329 and 2052 kbit/s, listed so.
    case c
    /// fMP4 with 744 kbit/s of video and 67 of separate audio.
    case d
    /// A media playlist of transport streams, 807 kbit/s, with segments of 2 s.
    case e
    /// A media playlist of transport streams, 427 kbit/s, with segments of 10 s.
    case f
    /// A media playlist of transport streams, 750 kbit/s, with segments of 2 s.
    case g
    /// A media playlist of transport streams, 542 kbit/s, with segments of 10 s.
    case h
    /// A media playlist of fMP4, 606 kbit/s, video and audio in one fragment per segment, of 4 s.
    case i
    /// Transport streams of 339, 851 and 1672 kbit/s, with segments of 4 s.
    case j
    /// fMP4 with 302 and 1006 kbit/s of video and 66 of separate audio, with segments of 4 s.
    case k
    /// Transport streams with 539 kbit/s of video and 73 of separate audio, with segments of 2 s.
    case l
    /// fMP4 of 1509 and 505 kbit/s, video and audio in one fragment per segment, of 10 s.
    case m

    private var segment: Int {
        switch self {
        case .a, .b, .c, .d: 6
        case .i, .j, .k: 4
        case .e, .g, .l: 2
        case .f, .h, .m: 10
        }
    }

    /// The bit rates of each playlist's media, in kbit/s, by its folder.
    private var rates: [String: Int] {
        switch self {
        case .a, .f: ["": 427]
        case .b: ["v": 1200]
        case .c: ["v0": 816, "v1": 329, "v2": 2052]
        case .d: ["v": 744, "s": 67]
        case .e: ["": 807]
        case .g: ["": 750]
        case .h: ["": 542]
        case .i: ["": 606]
        case .j: ["v0": 339, "v1": 851, "v2": 1672]
        case .k: ["v0": 302, "v1": 1006, "s": 66]
        case .l: ["v0": 539, "s": 73]
        case .m: ["v0": 1509, "v1": 505]
        }
    }

    private var isFragmented: Bool { [.b, .d, .i, .k, .m].contains(self) }
    private var seconds: Int { rawValue < "g" ? 60 : 90 }

    /// The observed time, in seconds.
    var watched: Double { rawValue < "g" ? 90 : 75 }

    /// The declared bit rates of the later titles' variants: their largest segments, with those of the audio.
    private var bandwidths: [Int] {
        switch self {
        case .j: [361, 928, 1828]
        case .k: [466, 1241]
        case .l: [742]
        case .m: [1561, 518]
        default: []
        }
    }

    private var entry: String {
        switch self {
        case .a, .e, .f, .g, .h, .i: media
        case .j, .k, .l, .m:
            "#EXTM3U\n" + (rates["s"] == nil ? "" : audio)
                + bandwidths.enumerated().map { number, bandwidth in
                    let group = rates["s"] == nil ? "" : ",AUDIO=\"s\""
                    return "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth * 1000)\(group)\nv\(number)/i.m3u8\n"
                }.joined()
        case .b: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1200000\nv/i.m3u8\n"
        case .c:
            "#EXTM3U\n"
                + ["v0", "v1", "v2"].map {
                    "#EXT-X-STREAM-INF:BANDWIDTH=\((rates[$0] ?? 0) * 1000)\n\($0)/i.m3u8\n"
                }.joined()
        case .d:
            "#EXTM3U\n" + audio + "#EXT-X-STREAM-INF:BANDWIDTH=811000,AUDIO=\"s\"\nv/i.m3u8\n"
        }
    }

    private var audio: String {
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"s\",NAME=\"s\",DEFAULT=YES,URI=\"s/i.m3u8\"\n"
    }

    private var media: String { media((0..<seconds / segment).map { _ in Double(segment) }) }

    /// Separate audio, cut between its packets of 1024 samples, as FFmpeg does.
    private var audioMedia: String {
        let packets = (0...seconds / segment).map { ($0 * segment * 48000 + 1023) / 1024 }
        return media(zip(packets, packets.dropFirst()).map { Double(($1 - $0) * 1024) / 48000 })
    }

    private func media(_ durations: [Double]) -> String {
        let (name, map) = isFragmented ? ("m4s", "#EXT-X-MAP:URI=\"init.mp4\"\n") : ("ts", "")
        return "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\(segment)\n#EXT-X-PLAYLIST-TYPE:VOD\n\(map)"
            + durations.enumerated().map { "#EXTINF:\($1),\n\($0).\(name)\n" }.joined() + "#EXT-X-ENDLIST\n"
    }

    /// Returns the response of a server.
    func answer(_ path: String) -> MemoryFetcher.Answer {
        if path == "entry.m3u8" { return (200, Array(entry.utf8)) }
        let parts = path.split(separator: "/")
        let folder = parts.count > 1 ? String(parts[0]) : ""
        guard let rate = rates[folder], let file = parts.last else { return (404, []) }
        if file == "i.m3u8" { return (200, Array((folder == "s" && rawValue >= "g" ? audioMedia : media).utf8)) }
        let isMuxed = [.b, .i, .m].contains(self)
        let tracks: [Fragment] = isMuxed ? [.video, .audio] : folder == "s" ? [.audio] : [.video]
        if file == "init.mp4" { return (200, Fragment.initialization(tracks)) }
        let size = rate * 1000 / 8 * segment
        if isFragmented { return (200, Fragment.segment(tracks, size: size)) }
        return (
            200,
            TransportStream.segment(hasVideo: folder != "s", hasAudio: rates["s"] == nil || folder == "s", size: size)
        )
    }

    /// A track of fMP4 with only the parts that a player inspects.
    private enum Fragment: Int {
        case video = 1
        case audio

        static func initialization(_ tracks: [Fragment]) -> [UInt8] {
            let traks = tracks.flatMap { track in
                SegmentBytes.track(
                    track.rawValue,
                    handler: track == .video ? "vide" : "soun",
                    entry: track == .video ? SegmentBytes.avcEntry : SegmentBytes.aacEntry,
                    scale: 1000
                )
            }
            let extends = SegmentBytes.box("mvex", tracks.flatMap { SegmentBytes.trex($0.rawValue, duration: 40) })
            let head = SegmentBytes.full(
                "mvhd",
                SegmentBytes.big(0, 8),
                SegmentBytes.big(1000, 4),
                SegmentBytes.big(0, 80)
            )
            return SegmentBytes.box("ftyp", Array("iso6".utf8), SegmentBytes.big(0, 4))
                + SegmentBytes.box("moov", head, traks, extends)
        }

        static func segment(_ tracks: [Fragment], size: Int) -> [UInt8] {
            let fragments = tracks.flatMap { track in
                SegmentBytes.box(
                    "traf",
                    SegmentBytes.full("tfhd", flags: 0x020000, SegmentBytes.big(track.rawValue, 4)),
                    SegmentBytes.full("tfdt", version: 1, SegmentBytes.big(0, 8)),
                    SegmentBytes.full("trun", SegmentBytes.big(3, 4))
                )
            }
            let moof = SegmentBytes.box("moof", SegmentBytes.full("mfhd", SegmentBytes.big(1, 4)), fragments)
            return moof + SegmentBytes.box("mdat", Array(repeating: 0, count: max(3, size - moof.count - 8)))
        }
    }
}

/// A run of a title on a platform over a network.
struct MeasuredRun {
    private enum Payload: Sendable {
        case session(SessionInput)
        case wake
    }

    /// The first audio or video, in seconds, if any.
    let startup: Double?
    let stalls: Int
    /// The duration of stalls, in seconds.
    let stalled: Double

    init(_ title: MeasuredTitle, on network: LinkProfile, platform: PlatformProfile, seconds: Double) {
        let loop = EventLoop<Payload>(pace: .virtual)
        let fetcher = SimulatedFetcher(
            profile: network,
            seed: 1,
            receiveWindow: platform.loading.requesting.receiveWindow,
            think: .zero,
            respond: { request in
                let answer = title.answer(String(request.url.dropFirst("http://origin/".count)))
                let length = (name: "content-length", value: "\(answer.bytes.count)")
                return (
                    FetchResponse(status: answer.status, headers: [length], url: request.url, serverAddress: ""),
                    FetchBytes(answer.bytes)
                )
            },
            loop: FetchLoop(
                deliver: { loop.schedule(.session(.fetch($0)), at: $1, priority: .arrival) },
                wake: { loop.schedule(.wake, at: $0, priority: .arrival) }
            )
        )
        let session = PlaybackSession(platform: platform, app: nil, seed: 1)
        let runner = SessionRunner(session: session, loop: loop, fetcher: fetcher, embed: { .session($0) })
        runner.send(.open([ItemAddress(full: "http://origin/entry.m3u8")]))
        runner.send(.play)
        _ = loop.run(until: Instant(seconds: seconds)) { payload, now in
            switch payload {
            case .session(let input): runner.handle(input, at: now)
            case .wake: fetcher.wake(at: now)
            }
        }
        let metrics = runner.session.metrics(at: Instant(seconds: seconds))
        startup = metrics.startup?.seconds
        (stalls, stalled) = (metrics.stalls, metrics.stalled.seconds)
    }
}
