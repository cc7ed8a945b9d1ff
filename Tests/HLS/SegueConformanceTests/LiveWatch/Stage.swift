import Foundation
import SegueBase
import SegueConformance
import SegueFetch
import SeguePlaylists

/// A live stream as a server would serve it at any instant of virtual time, with its faults.
struct Stage: Sendable {
    /// The kind of the stream.
    enum Kind: String, Sendable, CaseIterable {
        case plain, growing, pair, lowLatency, lowLatencyPair, trickPlay
    }

    /// A request with its prepared response.
    struct Exchange {
        let url: String
        var method = WatchRequest.Method.get
        /// The times of the request and of the response, in seconds.
        var asked = 0.0
        let at: Double
        /// The number of the requested segment; nil for a playlist.
        var segment: Int?
        var part: Int?
        let blocks: Bool
        let query: String
        var playlist: MediaPlaylist?
        var multivariant: MultivariantPlaylist?
        var status = 200
        var headers: [String: String] = [:]
        var bytes: [UInt8]?
        var delay = 0.02
        var failure: String?
        var connection = ConnectionUse()
    }

    static let clock = 1_700_000_000.0
    static let base = "http://h/live/"

    let kind: Kind
    /// The media time produced until an instant of the run.
    var made: @Sendable (Double) -> Double = { $0 + 400.5 }
    var options = StreamWatch.Options()
    /// The facts that decoding a sample returns; nil without a decoder.
    var decoded: DecodedFacts?
    /// The loudness of the samples of a playlist in LUFS, by its URL; nil for that of ``decoded``.
    var loudness: (@Sendable (_ playlist: String, _ at: Double) -> Double)?
    /// True to decline all samples, as for lack of time.
    var declines = false
    /// The faults of responses.
    var change: @Sendable (inout Exchange) -> Void = { _ in }

    /// True if the segments have an initialization section.
    private var hasMap: Bool { isLowLatency || options.media != .none }
    var isLowLatency: Bool { kind == .lowLatency || kind == .lowLatencyPair }
    private var window: Int { isLowLatency ? 10 : 8 }
    var url: String { Self.base + (Self.single.contains(kind) ? "a.m3u8" : "master.m3u8") }
    private static let single: [Kind] = [.plain, .growing, .lowLatency]

    /// The text of a media playlist at a media time.
    func playlist(_ name: String, media: Double) -> MediaPlaylist {
        let next = Int(media / 4)
        let first = kind == .growing ? 90 : next - window
        let segments = (first..<next).map { number in
            let isNear = isLowLatency && Double(next - number - 1) * 4 + media - Double(next * 4) < 12
            var segment = MediaSegment(
                uri: "\(name)\(number).ts",
                duration: Rational(4),
                map: hasMap ? MediaMap(uri: "init.mp4") : nil
            )
            segment.programDateTime = Self.date(Self.clock + Double(number * 4) - 420)
            segment.parts = isNear ? (0..<4).map { Self.part(name, number, $0) } : []
            return segment
        }
        var playlist = MediaPlaylist(
            segments: segments,
            kind: kind == .growing ? .event : nil,
            hasEndList: false,
            targetDuration: 4,
            mediaSequence: first
        )
        if isLowLatency { addParts(to: &playlist, name, media) }
        return playlist
    }

    /// The I-frames of the segments of `a`: two of each, the second after a quarter of it, as byte ranges.
    func iFrames(media: Double) -> MediaPlaylist {
        var playlist = self.playlist("a", media: media)
        playlist.isIFramesOnly = true
        playlist.mediaSequence *= 2
        playlist.segments = playlist.segments.flatMap { segment in
            let date = segment.programDateTime.flatMap(ProgramDate.seconds)
            let frames: [(Double, Int64, Int64, Int64)] = [(0, 1, 0, 300), (1, 3, 500, 200)]
            return frames.map { start, seconds, offset, length in
                var frame = MediaSegment(
                    uri: segment.uri,
                    duration: Rational(seconds),
                    byteRange: ByteRange(offset: offset, length: length)
                )
                frame.programDateTime = date.map { Self.date($0 + start) }
                return frame
            }
        }
        return playlist
    }

    private func addParts(to playlist: inout MediaPlaylist, _ name: String, _ media: Double) {
        let next = Int(media / 4)
        let count = Int(media) - next * 4
        playlist.partTarget = Rational(1)
        playlist.serverControl = ServerControl(
            canSkipUntil: Rational(24),
            holdBack: Rational(12),
            partHoldBack: Rational(3),
            canBlockReload: true
        )
        if count > 0 {
            playlist.open = OpenSegment(
                parts: (0..<count).map { Self.part(name, next, $0) },
                map: MediaMap(uri: "init.mp4"),
                programDateTime: Self.date(Self.clock + Double(next * 4) - 420)
            )
        }
        playlist.preloadHints = [PreloadHint(kind: .part, uri: Self.part(name, next, count).uri)]
        if kind == .lowLatencyPair {
            let other = name == "a" ? "b" : "a"
            let last = count > 0 ? next : next - 1
            playlist.renditionReports = [
                RenditionReport(uri: "\(other).m3u8", lastMSN: last, lastPart: (count + 3) % 4)
            ]
        }
    }

    static func part(_ name: String, _ number: Int, _ index: Int) -> PartialSegment {
        PartialSegment(uri: "\(name)\(number).part\(index).ts", duration: Rational(1), isIndependent: index == 0)
    }

    static func date(_ seconds: Double) -> String {
        Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    // MARK: Responses

    func answer(_ request: WatchRequest) -> WatchResponse {
        let (path, query) = Self.split(request.url)
        let name = String(path.dropFirst(Self.base.count).prefix(1))
        var at = request.at.seconds
        var exchange: Exchange
        if path.hasSuffix("master.m3u8") {
            exchange = Exchange(url: path, at: at, blocks: false, query: query)
            let variants = ["a", "b"].map { Variant(uri: "\($0).m3u8", bandwidth: 1000) }
            let iFrames = kind == .trickPlay ? [Variant(uri: "i.m3u8", bandwidth: 100)] : []
            exchange.multivariant = MultivariantPlaylist(variants: variants, iFrameVariants: iFrames)
        } else if path.hasSuffix(".m3u8") {
            let wanted = Self.number("_HLS_msn", query)
            let part = Self.number("_HLS_part", query)
            if let wanted {
                let media = Double(wanted * 4) + (part.map { Double($0 + 1) } ?? 4)
                while made(at) < media, at < request.at.seconds + 30 { at += 0.01 }
            }
            exchange = Exchange(url: path, at: at, blocks: wanted != nil, query: query)
            var playlist = name == "i" ? iFrames(media: made(at)) : self.playlist(name, media: made(at))
            if query.contains("_HLS_skip") { playlist = playlist.delta(skipping: playlist.segments.count - 6) }
            exchange.playlist = playlist
            if let wanted, wanted > Int(made(request.at.seconds) / 4) + 2 || part == nil && wanted == 0 {
                (exchange.status, at) = (400, request.at.seconds)
            }
            if wanted == nil, part != nil { exchange.status = 400 }
        } else {
            let file = path.dropFirst(Self.base.count + 1)
            let number = Int(file.prefix(while: \.isNumber)) ?? 0
            let part = file.split(separator: ".").first { $0.hasPrefix("part") }.flatMap { Int($0.dropFirst(4)) }
            // Requests for future playlists are held.
            let end = part.map { number * 4 + $0 + 1 } ?? number * 4 + (request.method == .head ? 1 : 4)
            if request.method != .head { while made(at) < Double(end), at < request.at.seconds + 30 { at += 0.01 } }
            exchange = Exchange(url: path, at: at, segment: number, part: part, blocks: false, query: query)
            // A removed segment stays for its duration plus the playlist's.
            let media = made(at)
            let isThere = Double(end) <= media + 1 && media < Double((number + 1 + 2 * window + 2) * 4)
            exchange.status = isThere || path.hasSuffix("init.mp4") ? 200 : 404
            exchange.headers = ["content-length": "\(1000 + number)"]
            if request.method == .get {
                exchange.bytes =
                    path.hasSuffix("init.mp4")
                    ? MadeParts.initialization
                    : part.map { MadeParts.part(number, $0) } ?? (0..<4).flatMap { MadeParts.part(number, $0) }
            }
        }
        (exchange.method, exchange.asked) = (request.method, request.at.seconds)
        change(&exchange)
        let ended = max(at, request.at.seconds) + exchange.delay
        let bytes =
            exchange.bytes ?? exchange.playlist.map { Array($0.text.utf8) }
            ?? exchange.multivariant.map { Array($0.text.utf8) } ?? []
        var response = WatchResponse(
            method: request.method,
            url: request.url,
            began: request.at,
            ended: Instant(seconds: ended),
            status: exchange.failure == nil ? exchange.status : 0
        )
        (response.headers, response.span) = (exchange.headers, request.span)
        response.connection = exchange.connection
        response.bytes = exchange.status == 200 && exchange.failure == nil ? bytes : []
        response.failure = exchange.failure.map { Message(quoting: $0) }
        return response
    }

    private static func split(_ url: String) -> (String, String) {
        let parts = url.split(separator: "?", maxSplits: 1)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    private static func number(_ name: String, _ query: String) -> Int? {
        query.split(separator: "&").first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    // MARK: Runs

    /// Has a watch handle a response and the samples in it.
    private func step(_ response: WatchResponse, by watch: inout StreamWatch) -> WatchStep {
        var whole = watch.take(response)
        for sample in whole.samples {
            var decoded = self.decoded
            if let loudness {
                decoded?.loudness = loudness(sample.playlist, response.ended.seconds)
                decoded?.measured = 4
            }
            let step = watch.take(sample.inspected(by: decoded.map(Decoder.init)))
            whole.findings += step.findings
            whole.requests += step.requests
        }
        return whole
    }

    func findings(of response: WatchResponse, by watch: inout StreamWatch) -> [LiveFinding] {
        step(response, by: &watch).findings
    }

    /// Watches the stream in virtual time.
    func watch(for seconds: Double = 130) -> (watch: StreamWatch, findings: [LiveFinding], answers: [WatchResponse]) {
        var watch = StreamWatch(url, clock: Self.clock, options: options)
        var open = watch.begin(at: .zero).map(answer)
        var findings: [LiveFinding] = [], answers: [WatchResponse] = []
        while let index = open.indices.min(by: { open[$0].ended < open[$1].ended }), open[index].ended.seconds < seconds
        {
            let next = open.remove(at: index)
            answers.append(next)
            let step = step(next, by: &watch)
            findings += step.findings
            open += step.requests.map { answer(declines && $0.isSample ? watch.decline($0) : $0) }
        }
        findings += watch.finish()
        return (watch, findings, answers)
    }
}

/// A decoder with a fixed result.
private final class Decoder: SegmentDecoding {
    private let result: DecodedFacts

    init(_ result: DecodedFacts) { self.result = result }

    func take(_ segment: DecodableSegment) {}

    func facts() -> DecodedFacts { result }
}
