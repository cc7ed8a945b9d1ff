internal import Timeline

/// Goes through the boxes of one level.
package struct BoxReader {
    private var reader: ByteReader

    /// A reader of the boxes in some bytes.
    package init(_ bytes: ArraySlice<UInt8>) { reader = ByteReader(bytes) }

    /// The next box; one that claims to be longer than what is there is cut short.
    package mutating func next() -> (type: String, body: ArraySlice<UInt8>)? {
        guard let short = reader.integer(4), let type = reader.code() else { return nil }
        switch short {
        case 0: return (type, reader.rest())
        case 1:
            guard let long = reader.unsigned(8), long >= 16 else { return nil }
            return (type, reader.slice(Int(min(long - 16, UInt64(reader.count)))) ?? [])
        case 2..<8: return nil
        default: return (type, reader.slice(min(short - 8, reader.count)) ?? [])
        }
    }

    /// The body of the first box of a type.
    package static func first(_ type: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var boxes = BoxReader(bytes)
        while let box = boxes.next() {
            if box.type == type { return box.body }
        }
        return nil
    }

    /// The body of the box at a path of types.
    package static func first(_ path: [String], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var bytes: ArraySlice<UInt8>? = bytes
        for type in path { bytes = bytes.flatMap { first(type, in: $0) } }
        return bytes
    }
}

/// Reads the boxes that say what a track is.
enum MP4Boxes {
    /// The time scale of `mvhd` or `mdhd`; nil when it is zero or missing.
    static func timeScale(_ body: ArraySlice<UInt8>) -> Int64? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(version == 1 ? 19 : 11), let scale = reader.integer(4),
            scale > 0
        else { return nil }
        return Int64(scale)
    }

    /// The time of `tfdt`; nil when it is beyond what a clock can mean.
    static func decodeTime(_ body: ArraySlice<UInt8>) -> Int64? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(3), let time = reader.unsigned(version == 1 ? 8 : 4),
            time < 1 << 60
        else { return nil }
        return Int64(time)
    }

    /// What a `trak` says; nil when it has no number or no clock.
    static func track(_ body: ArraySlice<UInt8>, movieScale: Int64) -> SegmentTrack? {
        guard let number = BoxReader.first("tkhd", in: body).flatMap(trackNumber),
            let header = BoxReader.first(["mdia", "mdhd"], in: body), let scale = timeScale(header)
        else { return nil }
        let handler = BoxReader.first(["mdia", "hdlr"], in: body).flatMap { body in
            var reader = ByteReader(body)
            return reader.skip(8) ? reader.code() : nil
        }
        let kind: SegmentTrack.Kind =
            switch handler {
            case "vide": .video
            case "soun": .audio
            case "text", "subt", "sbtl", "clcp": .text
            case "meta": .metadata
            default: .other
            }
        let tables = BoxReader.first(["mdia", "minf", "stbl"], in: body) ?? []
        let entry = BoxReader.first("stsd", in: tables).flatMap { SampleEntry($0, kind: kind) }
        var track = SegmentTrack(number: number, kind: kind, codec: entry?.codec ?? handler ?? "unknown")
        track.isEncrypted = entry?.isEncrypted ?? false
        track.language = language(header)
        track.initialization = TrackInitialization(
            timeScale: scale,
            defaultDuration: 0,
            editOffset: BoxReader.first(["edts", "elst"], in: body).map {
                editOffset($0, movieScale: movieScale, mediaScale: scale)
            } ?? .zero
        )
        let times = BoxReader.first("stts", in: tables).flatMap(sampleTimes)
        track.samples = times?.count
        track.duration = times.map { Rational($0.duration, scale) }
        return track
    }

    private static func trackNumber(_ body: ArraySlice<UInt8>) -> Int? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(version == 1 ? 19 : 11) else { return nil }
        return reader.integer(4)
    }

    private static func language(_ header: ArraySlice<UInt8>) -> String? {
        var reader = ByteReader(header)
        guard let version = reader.byte(), reader.skip(version == 1 ? 31 : 19), let packed = reader.integer(2)
        else { return nil }
        let letters = [packed >> 10 & 31, packed >> 5 & 31, packed & 31]
        guard letters.allSatisfy({ (1...26).contains($0) }) else { return nil }
        let text = String(decoding: letters.map { UInt8($0 + 0x60) }, as: UTF8.self)
        return text == "und" ? nil : text
    }

    private static func sampleTimes(_ body: ArraySlice<UInt8>) -> (count: Int, duration: Int64)? {
        var reader = ByteReader(body)
        guard reader.skip(4), let entries = reader.integer(4) else { return nil }
        var (total, duration) = (0, Int64(0))
        for _ in 0..<min(entries, reader.count / 8) {
            guard let count = reader.integer(4), let delta = reader.integer(4) else { break }
            // Both are below 2^32, so their product fits; the sum is checked.
            let (sum, overflows) = duration.addingReportingOverflow(Int64(count) &* Int64(delta))
            guard !overflows, sum >= 0 else { return nil }
            (total, duration) = (total + count, sum)
        }
        return (total, duration)
    }

    /// What the edit list adds to media times: the empty edits before the first real one, less where that begins.
    private static func editOffset(_ body: ArraySlice<UInt8>, movieScale: Int64, mediaScale: Int64) -> Rational {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(3), let entries = reader.integer(4) else { return .zero }
        let size = version == 1 ? 8 : 4
        var delay = Rational.zero
        for _ in 0..<min(entries, reader.count / (2 * size + 4)) {
            guard let duration = reader.unsigned(size), let raw = reader.unsigned(size), reader.skip(4) else { break }
            let time = size == 8 ? Int64(bitPattern: raw) : Int64(Int32(truncatingIfNeeded: raw))
            // Beyond what any title needs, and so that sums of them fit.
            guard duration < 1 << 40, time.magnitude < 1 << 40 else { return .zero }
            if time >= 0 { return delay - Rational(time, mediaScale) }
            delay += Rational(Int64(duration), movieScale)
        }
        return delay
    }
}

/// The first sample entry of a track: its codec.
private struct SampleEntry {
    let codec: String
    let isEncrypted: Bool

    init?(_ body: ArraySlice<UInt8>, kind: SegmentTrack.Kind) {
        var boxes = BoxReader(body.dropFirst(8))
        guard let entry = boxes.next() else { return nil }
        var format = entry.type
        isEncrypted = format == "encv" || format == "enca"
        let inner = Self.inner(entry.body, kind: kind)
        if isEncrypted, let original = BoxReader.first(["sinf", "frma"], in: inner) {
            var reader = ByteReader(original)
            format = reader.code() ?? format
        }
        codec = Self.name(of: format, inner)
    }

    /// The boxes inside a sample entry, after its fixed fields.
    private static func inner(_ body: ArraySlice<UInt8>, kind: SegmentTrack.Kind) -> ArraySlice<UInt8> {
        guard kind == .audio else { return body.dropFirst(kind == .video ? 78 : 8) }
        var reader = ByteReader(body)
        // QuickTime's versions 1 and 2 have more fields; version 1's are also in files that say they are ISO.
        let version = reader.skip(8) ? reader.integer(2) : nil
        let boxes = body.dropFirst(28 + (version == 1 ? 16 : version == 2 ? 36 : 0))
        return BoxReader.first("wave", in: boxes) ?? boxes
    }

    private static func name(of format: String, _ inner: ArraySlice<UInt8>) -> String {
        switch format {
        case "avc1", "avc3": "h264"
        case "hvc1", "hev1", "dvh1", "dvhe": "hevc"
        case "av01": "av1"
        case "vp08": "vp8"
        case "vp09": "vp9"
        case "mp4a", "mp4v":
            BoxReader.first("esds", in: inner).flatMap(objectType) ?? (format == "mp4a" ? "aac" : "mpeg4")
        case "ac-3": "ac3"
        case "ec-3": "eac3"
        case "fLaC": "flac"
        case "Opus": "opus"
        case ".mp3": "mp3"
        case "wvtt": "webvtt"
        case "stpp": "ttml"
        case "tx3g": "mov_text"
        default: format
        }
    }

    /// The codec that an elementary stream descriptor names (ISO/IEC 14496-1).
    private static func objectType(_ body: ArraySlice<UInt8>) -> String? {
        var reader = ByteReader(body)
        guard reader.skip(4), reader.byte() == 3, skipLength(&reader), reader.skip(2), let flags = reader.byte()
        else { return nil }
        if flags & 0x80 != 0 { reader.skip(2) }
        if flags & 0x40 != 0, let length = reader.byte() { reader.skip(length) }
        if flags & 0x20 != 0 { reader.skip(2) }
        guard reader.byte() == 4, skipLength(&reader), let type = reader.byte() else { return nil }
        return switch type {
        case 0x20: "mpeg4"
        case 0x40, 0x66...0x68: "aac"
        case 0x60...0x65: "mpeg2video"
        case 0x69, 0x6B: "mp3"
        case 0x6A: "mpeg1video"
        case 0x6C: "mjpeg"
        case 0xA5: "ac3"
        case 0xA6: "eac3"
        case 0xA9: "dts"
        case 0xDD: "vorbis"
        default: nil
        }
    }

    private static func skipLength(_ reader: inout ByteReader) -> Bool {
        for _ in 0..<4 {
            guard let byte = reader.byte() else { return false }
            if byte & 0x80 == 0 { return true }
        }
        return false
    }
}
