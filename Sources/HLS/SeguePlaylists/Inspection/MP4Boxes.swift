internal import SegueBase
internal import SegueContainers

/// Reads the boxes that describe a track.
enum MP4Boxes {
    /// Reads a `trak`; nil without a track ID or a timescale.
    static func track(_ body: ArraySlice<UInt8>, movieScale: Int64) -> SegmentTrack? {
        guard let number = BoxReader.first("tkhd", in: body).flatMap(MovieHeads.trackNumber),
            let clock = BoxReader.first(["mdia", "mdhd"], in: body).flatMap(ClockHead.init)
        else { return nil }
        let handler = BoxReader.first(["mdia", "hdlr"], in: body).flatMap(MovieHeads.handler)
        let kind: SegmentTrack.Kind =
            switch handler {
            case "vide": .video
            case "soun": .audio
            case "text", "subt", "sbtl", "clcp": .text
            case "meta": .metadata
            default: .other
            }
        let tables = BoxReader.first(["mdia", "minf", "stbl"], in: body) ?? []
        let coding = BoxReader.first("stsd", in: tables).flatMap { SampleEntry($0) }.map { Self.coding($0, kind) }
        var track = SegmentTrack(number: number, kind: kind, codec: coding?.codec ?? handler?.description ?? "unknown")
        track.isEncrypted = coding?.isEncrypted ?? false
        track.language = clock.language
        track.initialization = TrackInitialization(
            timeScale: clock.scale,
            defaultDuration: 0,
            editOffset: BoxReader.first(["edts", "elst"], in: body).flatMap { EditList($0) }.map {
                editOffset($0, movieScale: movieScale, mediaScale: clock.scale)
            } ?? .zero
        )
        let times = BoxReader.first("stts", in: tables).flatMap(sampleTimes)
        track.samples = times?.count
        track.duration = times.map { Rational($0.duration, clock.scale) }
        return track
    }

    private static func sampleTimes(_ body: ArraySlice<UInt8>) -> (count: Int, duration: Int64)? {
        guard let table = BoxTable("stts", body) else { return nil }
        var reader = ByteReader(body.dropFirst(table.start))
        var (total, duration) = (0, Int64(0))
        for _ in 0..<table.entries(inBody: Int64(body.count)) {
            guard let count = reader.integer(4), let delta = reader.integer(4) else { break }
            // Both are below 2^32, so their product fits; the sum is checked.
            let (sum, overflows) = duration.addingReportingOverflow(Int64(count) &* Int64(delta))
            guard !overflows, sum >= 0 else { return nil }
            (total, duration) = (total + count, sum)
        }
        return (total, duration)
    }

    /// Returns the offset of the edit list: the leading empty edits minus the start of the first real edit.
    private static func editOffset(_ edits: EditList, movieScale: Int64, mediaScale: Int64) -> Rational {
        var delay = Rational.zero
        for edit in edits {
            // Beyond what any title needs, and so that sums of them fit.
            guard edit.duration < 1 << 40, edit.start.magnitude < 1 << 40 else { return .zero }
            if edit.start >= 0 { return delay - Rational(edit.start, mediaScale) }
            delay += Rational(Int64(edit.duration), movieScale)
        }
        return delay
    }

    private static func coding(_ entry: SampleEntry, _ kind: SegmentTrack.Kind) -> (codec: String, isEncrypted: Bool) {
        let isEncrypted = entry.type == "encv" || entry.type == "enca"
        let boxes = entry.boxes(behind: kind == .audio ? .audio : kind == .video ? .visual : .other)
        let format = isEncrypted ? SampleEntry.original(in: boxes) ?? entry.type : entry.type
        return (codec(format, boxes), isEncrypted)
    }

    private static func codec(_ format: FourCC, _ boxes: ArraySlice<UInt8>) -> String {
        switch format {
        case "avc1", "avc3": "h264"
        case "hvc1", "hev1", "dvh1", "dvhe": "hevc"
        case "av01": "av1"
        case "vp08": "vp8"
        case "vp09": "vp9"
        case "mp4a", "mp4v":
            BoxReader.first("esds", in: boxes).flatMap(ElementaryDescriptor.init).flatMap { codec(of: $0.objectType) }
                ?? (format == "mp4a" ? "aac" : "mpeg4")
        case "ac-3": "ac3"
        case "ec-3": "eac3"
        case "fLaC": "flac"
        case "Opus": "opus"
        case ".mp3": "mp3"
        case "wvtt": "webvtt"
        case "stpp": "ttml"
        case "tx3g": "mov_text"
        default: format.description
        }
    }

    /// Returns the codec of an object type of ISO/IEC 14496-1.
    private static func codec(of objectType: Int) -> String? {
        switch objectType {
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
}
