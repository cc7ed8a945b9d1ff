internal import Media
internal import Timeline

/// The sample tables of an MP4 or QuickTime movie (ISO/IEC 14496-12, 8.6 and 8.7), where there is nothing unusual in
/// them.
///
/// Nothing of them is held but where they lie; the tracks' packets are read from them when they are wanted.
struct MovieTables {
    /// Something that is better left to a demuxer.
    struct Unusual: Error {}

    /// A table's entries.
    struct Table: Sendable {
        /// Where the number of entries stands.
        var countPlace: Int64
        /// Where the first entry stands.
        var start: Int64
        /// How many there are.
        var count: Int
        /// How many numbers of 32 bits each takes.
        var width: Int
    }

    /// What a track says of its samples.
    struct Track: Sendable {
        /// Its number in the file.
        var id = 0
        /// Units a second of its times.
        var timescale: Int64 = 0
        /// How long its media last, in its units.
        var duration: Int64 = 0
        /// The part of its media that is shown, and how long nothing is before, in its units; nil where all of it is.
        var edit: (start: Int64, length: Int64, pause: Int64)?
        /// How long samples last: the number of samples, and for how long each.
        var durations = Table(countPlace: 0, start: 0, count: 0, width: 2)
        /// How much later than decoded they are shown: the number of samples, and by how much.
        var offsets: Table?
        /// Their sizes.
        var sizes = Table(countPlace: 0, start: 0, count: 0, width: 1)
        /// Where chunks begin.
        var chunks = Table(countPlace: 0, start: 0, count: 0, width: 1)
        /// How many samples chunks have: the first chunk, the number, the description.
        var runs = Table(countPlace: 0, start: 0, count: 0, width: 3)
        /// Which samples are keyframes; nil where all are.
        var keys: Table?
    }

    /// Reads the tables.
    let reader: StretchReader
    /// The tracks of sound and pictures, in the order of the file.
    private(set) var tracks: [Track] = []

    /// Looks where the tables lie.
    ///
    /// - Throws: ``Unusual``, or ``MediaError`` when the file cannot be read.
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

    /// The boxes in a range, by name.
    private func boxes(_ range: Range<Int64>) throws -> [String: [Range<Int64>]] {
        var result: [String: [Range<Int64>]] = [:]
        var (place, count) = (range.lowerBound, 0)
        while range.upperBound - place >= 8 {
            let head = try reader.words(at: place, count: 2)
            var (length, lead) = (Int64(head[0]), Int64(8))
            if length == 1 {
                guard range.upperBound - place >= 16 else { throw Unusual() }
                let long = try reader.words(at: place + 8, count: 2)
                (length, lead) = (Int64(long[0]) << 32 | Int64(long[1]), 16)
            } else if length == 0 {
                length = range.upperBound - place
            }
            count += 1
            guard length >= lead, length <= range.upperBound - place, count < 4096 else { throw Unusual() }
            let name = withUnsafeBytes(of: head[1].bigEndian) { String(decoding: $0, as: UTF8.self) }
            result[name, default: []].append(place + lead..<place + length)
            place += length
        }
        return result
    }

    /// The one box of a name.
    private func one(_ name: String, _ boxes: [String: [Range<Int64>]]) throws -> Range<Int64> {
        guard let found = boxes[name], found.count == 1 else { throw Unusual() }
        return found[0]
    }

    /// A number in a box.
    private func word(_ place: Int64, in box: Range<Int64>) throws -> Int64 {
        guard box.lowerBound + place + 4 <= box.upperBound else { throw Unusual() }
        return Int64(try reader.words(at: box.lowerBound + place, count: 1)[0])
    }

    /// The time scale and the duration that a head tells.
    private func timing(_ head: Range<Int64>) throws -> (scale: Int64, duration: Int64) {
        let isLong = try word(0, in: head) >> 24 == 1
        let scale = try word(isLong ? 20 : 12, in: head)
        let duration = isLong ? try word(24, in: head) << 32 | word(28, in: head) : try word(16, in: head)
        guard scale > 0, duration > 0, duration < 1 << 48, isLong || duration < 0xffff_ffff else { throw Unusual() }
        return (scale, duration)
    }

    private func table(_ box: Range<Int64>, at place: Int64 = 4, width: Int) throws -> Table {
        let count = try word(place, in: box)
        let start = box.lowerBound + place + 4
        guard count > 0, count <= (box.upperBound - start) / Int64(4 * width), count < 1 << 28 else { throw Unusual() }
        return Table(countPlace: start - 4, start: start, count: Int(count), width: width)
    }

    /// A track; nil for other things than sound and pictures.
    private func track(_ box: Range<Int64>, movieScale: Int64) throws -> Track? {
        let inside = try boxes(box)
        let media = try boxes(one("mdia", inside))
        let kind = try word(8, in: one("hdlr", media))
        // `vide` and `soun`.
        guard [0x7669_6465, 0x736f_756e].contains(kind) else { return nil }
        var track = Track()
        let head = try one("tkhd", inside)
        track.id = Int(try word(try word(0, in: head) >> 24 == 1 ? 20 : 12, in: head))
        (track.timescale, track.duration) = try timing(one("mdhd", media))
        if let edits = inside["edts"]?.first { track.edit = try edit(edits, track, movieScale: movieScale) }
        let tables = try boxes(one("stbl", boxes(one("minf", media))))
        guard try word(4, in: one("stsd", tables)) == 1, tables["stps"] == nil, tables["stz2"] == nil else {
            throw Unusual()
        }
        for group in tables["sbgp"] ?? [] where [0x7261_7020, 0x7379_6e63].contains(try word(4, in: group)) {
            // `rap ` and `sync` name more places where decoding can begin.
            throw Unusual()
        }
        track.durations = try table(one("stts", tables), width: 2)
        track.offsets = tables["ctts"] == nil ? nil : try table(one("ctts", tables), width: 2)
        track.sizes = try table(one("stsz", tables), at: 8, width: 1)
        track.chunks =
            tables["co64"] == nil
            ? try table(one("stco", tables), width: 1) : try table(one("co64", tables), width: 2)
        track.runs = try table(one("stsc", tables), width: 3)
        track.keys = tables["stss"] == nil ? nil : try table(one("stss", tables), width: 1)
        guard try word(4, in: one("stsz", tables)) == 0, tables["co64"] == nil || tables["stco"] == nil else {
            throw Unusual()
        }
        return track
    }

    /// What an edit list shows: one part, after a pause or none.
    private func edit(
        _ box: Range<Int64>,
        _ track: Track,
        movieScale: Int64
    ) throws -> (start: Int64, length: Int64, pause: Int64)? {
        guard let list = try boxes(box)["elst"]?.first else { return nil }
        let isLong = try word(0, in: list) >> 24 == 1
        let width: Int64 = isLong ? 20 : 12
        let count = try word(4, in: list)
        guard (1...2).contains(count) else { throw Unusual() }
        var shown: (start: Int64, length: Int64, pause: Int64)?
        var pause: Int64 = 0
        for number in 0..<count {
            let place = 8 + number * width
            let length =
                isLong ? try word(place, in: list) << 32 | word(place + 4, in: list) : try word(place, in: list)
            let high = try word(place + (isLong ? 8 : 4), in: list)
            let start = isLong ? high << 32 | (try word(place + 12, in: list)) : Int64(Int32(truncatingIfNeeded: high))
            guard try word(place + width - 4, in: list) == 0x0001_0000, length > 0, length < 1 << 40 else {
                throw Unusual()
            }
            // As libav rounds: to the nearest, halves up.
            let ticks = Rational(length, movieScale).rounded(scale: track.timescale)
            guard ticks < 1 << 48 else { throw Unusual() }
            if start == -1, number == 0, count == 2 {
                pause = ticks
                continue
            }
            guard shown == nil, start >= 0, start < 1 << 40 else { throw Unusual() }
            shown = (start, ticks, pause)
        }
        guard shown != nil else { throw Unusual() }
        return shown
    }
}
