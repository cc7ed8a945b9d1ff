import SegueBase
import SeguePlaylists

/// Faults in partial segments, in their tags, and in their content.
extension Fault {
    static let parts = [
        fault("live-part-changed", .lowLatency) {
            guard $0.at > 50, $0.playlist?.openParts.count == 2 else { return }
            $0.playlist?.open?.parts[0].isIndependent = false
        },
        fault("live-part-changed", .lowLatency) {
            guard $0.at > 50, $0.playlist?.openParts.count == 2 else { return }
            $0.playlist?.open?.parts[0].uri = "other.ts"
        },
        segment("live-parts-removed", .lowLatency, from: 50) { segment, _ in segment.parts = [] },
        segment("live-parts-old", .lowLatency) { segment, number in
            segment.parts = (0..<4).map { Stage.part("a", number, $0) }
        },
        segment("live-part-sum", .lowLatency) { if $1 == 115 { $0.duration = Rational(43, 10) } },
        segment("live-part-length", .lowLatency) { segment, number in
            guard number == 98 else { return }
            segment.duration = Rational(42, 10)
            if !segment.parts.isEmpty { segment.parts[1].duration = Rational(12, 10) }
        },
        late("live-part-news", .lowLatency) { ($0 > 50.6 && $0 < 53.4 ? 50.6 : $0) + 400.5 },
        fault("live-part-there", .lowLatency, also: ["live-hint-there"]) {
            if $0.segment == 115, $0.part != nil { $0.status = 404 }
        },
        playlist("live-hint", .lowLatency, from: 50, to: 51) { $0.preloadHints[0].uri = "other.ts" },
        fault("live-report", .lowLatencyPair) {
            guard $0.url.hasSuffix("a.m3u8") else { return }
            $0.playlist?.renditionReports[0].lastMSN = 90
        },
        fault("live-report", .lowLatencyPair) {
            guard $0.url.hasSuffix("a.m3u8") else { return }
            $0.playlist?.renditionReports[0].lastMSN = 900
        },
        fault("live-report", .lowLatencyPair) {
            guard $0.url.hasSuffix("a.m3u8") else { return }
            $0.playlist?.renditionReports[0].lastPart = 9
        },
        playlist("live-part-ranges", .lowLatency) { playlist in
            func atZero(_ parts: [PartialSegment], _ uri: String) -> [PartialSegment] {
                parts.map {
                    PartialSegment(
                        uri: uri,
                        duration: $0.duration,
                        isIndependent: $0.isIndependent,
                        byteRange: ByteRange(offset: 0, length: 1000)
                    )
                }
            }
            for index in playlist.segments.indices {
                let segment = playlist.segments[index]
                playlist.segments[index].parts = atZero(segment.parts, segment.uri)
            }
            let uri = "a\(playlist.nextSequence).ts"
            let open = atZero(playlist.openParts, uri)
            playlist.open?.parts = open
            playlist.preloadHints[0].uri = uri
        },
        playlist("live-control", .lowLatency, from: 50) { $0.serverControl?.holdBack = Rational(13) },
        playlist("live-part-target", .lowLatency, from: 50) { $0.partTarget = Rational(11, 10) },
        playlist("live-hold-back", .lowLatency, also: ["live-stall"]) {
            $0.serverControl?.partHoldBack = Rational(1, 4)
        },
    ]

    static let loaded = [
        // While a part is new, half of it exists.
        fault("live-part-bytes", .lowLatency) {
            guard let number = $0.segment, let part = $0.part, let bytes = $0.bytes else { return }
            if $0.at + 400.5 < Double(number * 4 + part + 2) { $0.bytes = Array(bytes.prefix(bytes.count / 2)) }
        },
        // The first part is that of the previous segment.
        fault("live-part-bytes", .lowLatency) {
            guard let number = $0.segment, $0.part == 0, $0.bytes != nil else { return }
            $0.bytes = MadeParts.part(number - 1, 0)
        },
        playlist("live-part-independent", .lowLatency) { playlist in
            for index in playlist.segments.indices {
                for part in playlist.segments[index].parts.indices {
                    playlist.segments[index].parts[part].isIndependent = true
                }
            }
            for part in playlist.openParts.indices { playlist.open?.parts[part].isIndependent = true }
        },
        playlist("live-part-independent", .lowLatency) { playlist in
            for index in playlist.segments.indices where !playlist.segments[index].parts.isEmpty {
                playlist.segments[index].parts[0].isIndependent = false
            }
            if !playlist.openParts.isEmpty { playlist.open?.parts[0].isIndependent = false }
        },
        // Requests for future parts are refused.
        fault("live-hint-there", .lowLatency) {
            if $0.part != nil, $0.at > $0.asked + 0.1 { $0.status = 404 }
        },
    ]
}
