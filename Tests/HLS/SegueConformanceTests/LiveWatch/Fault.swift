import SegueBase
import SeguePlaylists

/// A fault of a stream that breaks one rule.
struct Fault: Sendable {
    let rule: String
    /// Rules that the same fault breaks by necessity.
    var also: Set<String> = []
    let stage: Stage
    /// The duration of the watch in seconds.
    var seconds = 130.0

    static func fault(
        _ rule: String,
        _ kind: Stage.Kind = .plain,
        also: Set<String> = [],
        _ change: @escaping @Sendable (inout Stage.Exchange) -> Void
    ) -> Fault {
        var stage = Stage(kind: kind)
        stage.change = change
        return Fault(rule: rule, also: also, stage: stage)
    }

    /// A stream that is produced late.
    static func late(
        _ rule: String,
        _ kind: Stage.Kind = .plain,
        _ made: @escaping @Sendable (Double) -> Double
    ) -> Fault {
        var stage = Stage(kind: kind)
        stage.made = made
        return Fault(rule: rule, stage: stage)
    }

    /// The playlist, from an instant on.
    static func playlist(
        _ rule: String,
        _ kind: Stage.Kind = .plain,
        from: Double = -1,
        to: Double = .infinity,
        also: Set<String> = [],
        _ change: @escaping @Sendable (inout MediaPlaylist) -> Void
    ) -> Fault {
        fault(rule, kind, also: also) { exchange in
            guard exchange.at > from, exchange.at < to, var playlist = exchange.playlist else { return }
            change(&playlist)
            exchange.playlist = playlist
        }
    }

    /// A segment, wherever it is listed.
    static func segment(
        _ rule: String,
        _ kind: Stage.Kind = .plain,
        from: Double = -1,
        _ change: @escaping @Sendable (inout MediaSegment, Int) -> Void
    ) -> Fault {
        playlist(rule, kind, from: from) { playlist in
            for index in playlist.segments.indices {
                change(&playlist.segments[index], playlist.firstListedSequence + index)
            }
        }
    }

    private static func shifted(_ text: String?, by seconds: Double) -> String? {
        text.flatMap(ProgramDate.seconds).map { Stage.date($0 + seconds) }
    }

    private static func range(_ seconds: Int64) -> DateRange {
        DateRange(id: "ad", startDate: Stage.date(Stage.clock + 420 - 420 + 20), duration: Rational(seconds))
    }

    static let all =
        changes + times + segments + dates + renditions + multivariant + iFrames + parts + loaded + blocking + media

    private static let changes = [
        fault("live-reload") { if $0.playlist != nil, $0.at > 50, $0.at < 53 { $0.status = 404 } },
        fault("live-reload", .pair) { if $0.at < 9 { $0.failure = "nobody takes the connection" } },
        fault("live-readable") {
            if $0.playlist != nil, $0.at > 50, $0.at < 53 { $0.bytes = Array("<html>".utf8) }
        },
        fault("live-readable") {
            if $0.playlist != nil, $0.at > 50, $0.at < 53 {
                $0.bytes = Array(MultivariantPlaylist(variants: [Variant(uri: "a.m3u8", bandwidth: 1)]).text.utf8)
            }
        },
        playlist("live-sequence", from: 50) { $0.mediaSequence -= 50 },
        playlist("live-sequence", from: 50, to: 52.5) { $0 = Stage(kind: .plain).playlist("a", media: 430) },
        playlist("live-removed", from: 50) { $0.mediaSequence += 5 },
        playlist("live-order", from: 50, to: 53) { $0.segments.removeLast(2) },
        segment("live-segment-changed", from: 50) { if $1 == 108 { $0.duration = Rational(3) } },
        segment("live-segment-changed", from: 50) { if $1 == 108 { $0.uri = "a108.ts?other" } },
        segment("live-segment-changed", from: 50) {
            if $1 == 108 { $0.keys = [MediaKey(method: "AES-128", uri: "key")] }
        },
        playlist("live-discontinuity", from: 50) { $0.discontinuitySequence += 1 },
        segment("live-discontinuity") { if $1 == 102 { $0.startsDiscontinuity = true } },
        playlist("live-target", from: 50) { $0.targetDuration = 5 },
        playlist("live-header", from: 50) { $0.isIndependent = true },
        playlist("live-type", .growing, from: 50) { $0.kind = nil },
        playlist("live-event", .growing, from: 50) { playlist in
            playlist.segments.removeFirst(2)
            playlist.mediaSequence += 2
        },
        playlist("live-event", .growing) { $0.kind = .vod },
        segment("live-segment-changed", .lowLatency, from: 50) { if $1 == 108 { $0.uri = "a108.ts?other" } },
        playlist("live-window-least") { playlist in
            playlist.targetDuration = 9
            playlist.mediaSequence += 2
            playlist.segments.removeFirst(2)
        },
        playlist("live-six") { playlist in
            playlist.mediaSequence += 3
            playlist.segments.removeFirst(3)
        },
        playlist("live-end", from: 50, to: 53) { $0.hasEndList = true },
        playlist("live-end", from: 50) { $0.hasEndList = true },
    ]

    private static let times = [
        late("live-news") { ($0 > 50 && $0 < 57 ? 50 : $0) + 400.5 },
        fault("live-last-modified") {
            $0.headers = [
                "date": "Tue, 14 Nov 2023 22:13:40 GMT", "last-modified": "Tue, 14 Nov 2023 22:13:20 GMT",
            ]
        },
        fault("live-cached-long") { $0.headers["age"] = "9" },
        fault("live-cached-long") { $0.headers["cache-control"] = "public, max-age=60" },
        fault("live-slow") { if $0.playlist != nil, $0.at > 50, $0.at < 52.5 { $0.delay = 5 } },
    ]

    private static let segments = [
        fault("live-segment-there") { if $0.segment == 115, $0.at < 67 { $0.status = 404 } },
        fault("live-segment-there") { if $0.segment == 115, $0.at < 67 { $0.status = 403 } },
        fault("live-segment-there", also: ["live-stall"]) { if $0.segment == 115 { $0.status = 404 } },
        fault("live-segment-kept", .lowLatency, also: ["live-segment-kept-long"]) {
            if let number = $0.segment, $0.part == nil, $0.at + 400.5 > Double((number + 11) * 4) { $0.status = 404 }
        },
        fault("live-segment-kept-long") {
            if let number = $0.segment, $0.at + 400.5 > Double((number + 11) * 4) { $0.status = 404 }
        },
        fault("live-segment-repeated") { exchange in
            for index in exchange.playlist?.segments.indices ?? 0..<0 {
                let number = (exchange.playlist?.firstListedSequence ?? 0) + index
                exchange.playlist?.segments[index].uri = "a\(number % 10).ts"
            }
            guard let name = exchange.segment else { return }
            let last = Int((exchange.at + 400.5) / 4) - 1
            exchange.status = 200
            exchange.headers = ["content-length": "\(1000 + last - (last - name) % 10)"]
        },
        segment("live-gap") { if $1 == 115 { $0.isGap = true } },
        late("live-stall") { $0 * 4 / 5.5 + 400.5 },
    ]

    private static let dates = [
        segment("live-date-given") { segment, _ in segment.programDateTime = nil },
        segment("live-date-overlap") { segment, number in
            if number >= 115 { segment.programDateTime = shifted(segment.programDateTime, by: -10) }
        },
        segment("live-date-jump") { segment, number in
            if number >= 115 { segment.programDateTime = shifted(segment.programDateTime, by: 10) }
        },
        segment("live-date-drift") { segment, number in
            segment.programDateTime = shifted(segment.programDateTime, by: Double(number - 100) / 10)
        },
        segment("live-date-clock") { segment, _ in
            segment.programDateTime = shifted(segment.programDateTime, by: 100)
        },
        segment("live-date-clock") { segment, _ in
            segment.programDateTime = shifted(segment.programDateTime, by: -1000)
        },
        fault("live-range-kept") { if $0.at < 60 { $0.playlist?.dateRanges = [range(8)] } },
        fault("live-range-changed") { $0.playlist?.dateRanges = [range($0.at < 60 ? 80 : 90)] },
    ]

    private static let renditions = [
        fault("live-in-step", .pair) { exchange in
            if exchange.segment != nil { exchange.status = 200 }
            guard exchange.playlist != nil, exchange.url.hasSuffix("b.m3u8") else { return }
            exchange.playlist = Stage(kind: .pair).playlist("b", media: exchange.at + 388.5)
        },
        fault("live-same-discontinuities", .pair) {
            if $0.url.hasSuffix("b.m3u8") { $0.playlist?.discontinuitySequence = 1 }
        },
    ]
}
