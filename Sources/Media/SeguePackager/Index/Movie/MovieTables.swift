internal import SegueBase
internal import SegueContainers
internal import SegueFFmpeg

/// The sample tables of a regular MP4 or QuickTime movie (ISO/IEC 14496-12, 8.6 and 8.7).
///
/// Only table positions are held; packets are read from the tables on demand.
struct MovieTables {
    /// An error for a feature that is left to a demuxer.
    struct Unusual: Error {}

    /// The position of a table's entries.
    struct Table: Sendable {
        /// The position of the entry count.
        var countPlace: Int64
        /// The position of the first entry.
        var start: Int64
        /// The number of entries.
        var count: Int
        /// The number of 32-bit numbers per entry.
        var width: Int
    }

    /// A track's description of its samples.
    struct Track: Sendable {
        /// The track ID.
        var id = 0
        /// Time units per second.
        var timescale: Int64 = 0
        /// The media duration, in track units.
        var duration: Int64 = 0
        /// The displayed part of the media and the preceding pause, in track units; nil if all is displayed.
        var edit: (start: Int64, length: Int64, pause: Int64)?
        /// Durations: sample count and duration.
        var durations = Table(countPlace: 0, start: 0, count: 0, width: 2)
        /// Composition offsets: sample count and offset.
        var offsets: Table?
        var sizes = Table(countPlace: 0, start: 0, count: 0, width: 1)
        /// The chunk positions.
        var chunks = Table(countPlace: 0, start: 0, count: 0, width: 1)
        /// Samples per chunk: first chunk, count, description.
        var runs = Table(countPlace: 0, start: 0, count: 0, width: 3)
        /// The keyframes; nil if all samples are.
        var keys: Table?
    }

    let reader: StretchReader
    /// The audio and video tracks, in file order.
    private(set) var tracks: [Track] = []

    /// Finds the tables.
    init(path: String) throws {
        reader = try StretchReader(path: path)
        let top = try boxes(0..<reader.size)
        guard let movie = top["moov"], movie.count == 1 else { throw Unusual() }
        let inside = try boxes(movie[0])
        guard inside["mvex"] == nil, inside["cmov"] == nil, let head = inside["mvhd"]?.first else { throw Unusual() }
        let scale = try timing(head).scale
        for track in inside["trak"] ?? [] {
            if let track = try self.track(track, movieScale: scale) { tracks.append(track) }
        }
        guard !tracks.isEmpty else { throw Unusual() }
    }

    /// The boxes in a range, by type.
    private func boxes(_ range: Range<Int64>) throws -> [FourCC: [Range<Int64>]] {
        var result: [FourCC: [Range<Int64>]] = [:]
        var (place, count) = (range.lowerBound, 0)
        while range.upperBound - place >= Int64(BoxHead.shortLength) {
            let head = try head(at: place, before: range.upperBound)
            let length = head.size ?? range.upperBound - place
            count += 1
            guard length <= range.upperBound - place, count < 4096 else { throw Unusual() }
            result[head.type, default: []].append(place + Int64(head.length)..<place + length)
            place += length
        }
        return result
    }

    private func head(at place: Int64, before end: Int64) throws -> BoxHead {
        let bytes = try bytes(place..<min(end, place + Int64(BoxHead.shortLength)), atMost: BoxHead.shortLength)
        guard BoxHead.isLong(bytes) else { return try usual(BoxHead(bytes)) }
        return try usual(BoxHead(self.bytes(place..<end, atMost: BoxHead.longLength)))
    }

    /// The first bytes of a range.
    private func bytes(_ range: Range<Int64>, atMost most: Int) throws -> ArraySlice<UInt8> {
        let stretch = try reader.read(
            from: range.lowerBound,
            count: Int(min(Int64(most), range.upperBound - range.lowerBound))
        )
        return stretch.withBytes(0..<stretch.count) { Array($0)[...] }
    }

    private func usual<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Unusual() }
        return value
    }

    /// The only box of a type; throws if there are none or several.
    private func one(_ type: FourCC, _ boxes: [FourCC: [Range<Int64>]]) throws -> Range<Int64> {
        guard let found = boxes[type], found.count == 1 else { throw Unusual() }
        return found[0]
    }

    /// The time scale and the duration in a header.
    private func timing(_ body: Range<Int64>) throws -> (scale: Int64, duration: Int64) {
        let head = try usual(ClockHead(bytes(body, atMost: ClockHead.length)))
        guard let duration = head.duration, duration > 0, duration < 1 << 48 else { throw Unusual() }
        return (head.scale, duration)
    }

    private func table(_ type: FourCC, _ boxes: [FourCC: [Range<Int64>]]) throws -> Table {
        let body = try one(type, boxes)
        let head = try usual(BoxTable(type, bytes(body, atMost: BoxTable.headLength)))
        guard head.count > 0, head.entries(inBody: body.upperBound - body.lowerBound) == head.count,
            head.count < 1 << 28, head.fixedSize == 0
        else { throw Unusual() }
        return Table(
            countPlace: body.lowerBound + Int64(head.countPlace),
            start: body.lowerBound + Int64(head.start),
            count: head.count,
            width: head.entrySize / 4
        )
    }

    /// An optional table.
    private func table(ifAny type: FourCC, _ boxes: [FourCC: [Range<Int64>]]) throws -> Table? {
        boxes[type] == nil ? nil : try table(type, boxes)
    }

    /// A track; nil if it is neither audio nor video.
    private func track(_ box: Range<Int64>, movieScale: Int64) throws -> Track? {
        let inside = try boxes(box)
        let media = try boxes(one("mdia", inside))
        let handler = try usual(MovieHeads.handler(bytes(one("hdlr", media), atMost: MovieHeads.length)))
        guard handler == "vide" || handler == "soun" else { return nil }
        var track = Track()
        track.id = try usual(MovieHeads.trackNumber(bytes(one("tkhd", inside), atMost: MovieHeads.length)))
        (track.timescale, track.duration) = try timing(one("mdhd", media))
        if let edits = inside["edts"]?.first { track.edit = try edit(edits, track, movieScale: movieScale) }
        let tables = try boxes(one("stbl", boxes(one("minf", media))))
        guard try number(behindVersionOf: one("stsd", tables)) == 1, tables["stps"] == nil, tables["stz2"] == nil,
            tables["co64"] == nil || tables["stco"] == nil
        else { throw Unusual() }
        for group in tables["sbgp"] ?? [] {
            // These sample groups declare further sync points.
            let kind = FourCC(try number(behindVersionOf: group))
            guard kind != "rap ", kind != "sync" else { throw Unusual() }
        }
        track.durations = try table("stts", tables)
        track.offsets = try table(ifAny: "ctts", tables)
        track.sizes = try table("stsz", tables)
        track.chunks = try table(ifAny: "co64", tables) ?? table("stco", tables)
        track.runs = try table("stsc", tables)
        track.keys = try table(ifAny: "stss", tables)
        return track
    }

    /// The number at the start of a body, after its version.
    private func number(behindVersionOf body: Range<Int64>) throws -> UInt32 {
        var reader = ByteReader(try bytes(body, atMost: 8))
        reader.skip(4)
        return try UInt32(usual(reader.integer(4)))
    }

    /// Parses an edit list with one part and an optional preceding pause.
    private func edit(
        _ box: Range<Int64>,
        _ track: Track,
        movieScale: Int64
    ) throws -> (start: Int64, length: Int64, pause: Int64)? {
        guard let body = try boxes(box)["elst"]?.first else { return nil }
        let list = try usual(EditList(bytes(body, atMost: EditList.lengthOfTwo)))
        let edits = Array(list)
        guard (1...2).contains(list.count), edits.count == list.count else { throw Unusual() }
        var shown: (start: Int64, length: Int64, pause: Int64)?
        var pause: Int64 = 0
        for (number, edit) in edits.enumerated() {
            guard edit.rate == 0x0001_0000, edit.duration > 0, edit.duration < 1 << 40 else { throw Unusual() }
            // libav rounds to nearest, ties up.
            let ticks = Rational(Int64(edit.duration), movieScale).rounded(scale: track.timescale)
            guard ticks < 1 << 48 else { throw Unusual() }
            if edit.start == -1, number == 0, edits.count == 2 {
                pause = ticks
                continue
            }
            guard shown == nil, edit.start >= 0, edit.start < 1 << 40 else { throw Unusual() }
            shown = (edit.start, ticks, pause)
        }
        guard shown != nil else { throw Unusual() }
        return shown
    }
}
