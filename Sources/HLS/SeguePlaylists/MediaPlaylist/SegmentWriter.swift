internal import SegueBase

/// Writes segments with each tag only where it changes.
struct SegmentWriter {
    let writesWholeSeconds: Bool
    private var position = Rational.zero
    private var written: Int64 = 0
    private var map: MediaMap?
    private var keys: [MediaKey] = []
    private var bitrate: Int?

    /// The number of written segments, and the index of the segment whose keys must be written even if there are none.
    private var count = 0
    private let statesKeys: Int?

    /// The index of the segment whose initialization section must be written even if only its keys differ.
    private let statesMap: Int?

    /// A writer that omits the tags that a delta update inherits.
    init(writesWholeSeconds: Bool, skip: PlaylistSkip?) {
        self.writesWholeSeconds = writesWholeSeconds
        statesKeys = skip?.inherited.keys
        statesMap = skip?.inherited.mapKeys
    }

    mutating func write(_ segment: MediaSegment, to lines: inout [String]) {
        writeHead(
            startsDiscontinuity: segment.startsDiscontinuity,
            map: segment.map,
            keys: segment.keys,
            programDateTime: segment.programDateTime,
            to: &lines
        )
        lines += segment.parts.map(\.line)
        if segment.isGap { lines.append("#EXT-X-GAP") }
        if let range = segment.byteRange {
            lines.append("#EXT-X-BYTERANGE:\(range.length)@\(range.offset)")
        } else if let wanted = segment.bitrate, wanted != bitrate {
            bitrate = wanted
            lines.append("#EXT-X-BITRATE:\(wanted)")
        }
        position += segment.duration
        let end = position.rounded(scale: 1_000_000)
        let length =
            writesWholeSeconds
            ? "\((end - written) / 1_000_000)" : DecimalText.fixed(units: end - written, places: 6)
        written = end
        lines.append("#EXTINF:\(length),\(segment.title.onOneLine)")
        lines.append(segment.uri.onOneLine)
        count += 1
    }

    /// Writes the parts of the open segment at the end.
    mutating func write(_ open: OpenSegment, to lines: inout [String]) {
        writeHead(
            startsDiscontinuity: open.startsDiscontinuity,
            map: open.map,
            keys: open.keys,
            programDateTime: open.programDateTime,
            to: &lines
        )
        lines += open.parts.map(\.line)
    }

    private mutating func writeHead(
        startsDiscontinuity: Bool,
        map wantedMap: MediaMap?,
        keys wantedKeys: [MediaKey],
        programDateTime: String?,
        to lines: inout [String]
    ) {
        var mustStateKeys = count == statesKeys
        if startsDiscontinuity { lines.append("#EXT-X-DISCONTINUITY") }
        if wantedMap != map || count == statesMap {
            map = wantedMap
            if let map {
                // The keys in force where an initialization section is named are its own as well.
                write(map.keys, always: mustStateKeys, to: &lines)
                mustStateKeys = false
                lines.append(map.line)
            }
        }
        write(wantedKeys, always: mustStateKeys, to: &lines)
        if let programDateTime { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(programDateTime)") }
    }

    private mutating func write(_ wanted: [MediaKey], always: Bool, to lines: inout [String]) {
        guard wanted != keys || always else { return }
        keys = wanted
        lines += keys.isEmpty ? ["#EXT-X-KEY:METHOD=NONE"] : keys.map(\.line)
    }
}
