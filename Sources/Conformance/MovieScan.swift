internal import HLS

/// Looks into the boxes of initialization sections and fragments for what rules ask.
enum MovieScan {
    /// The brands of an `ftyp` or `styp`.
    static func brands(_ bytes: [UInt8]) -> [String] {
        guard let body = BoxReader.first("ftyp", in: bytes[...]) else { return [] }
        var reader = ByteReader(body)
        var brands: [String] = []
        if let major = reader.code() { brands.append(major) }
        reader.skip(4)
        while let brand = reader.code() { brands.append(brand) }
        return brands
    }

    /// The codec of each track as `CODECS` has it, as far as its sample entry tells.
    static func parameters(_ bytes: [UInt8]) -> [Int: String] {
        sampleEntries(bytes).compactMapValues { codec($0.type, $0.body) }
    }

    /// `PQ` or `HLG` for each track whose sample entry says so in its colour box (ISO/IEC 23091-2, table 3).
    static func videoRanges(_ bytes: [UInt8]) -> [Int: String] {
        sampleEntries(bytes).compactMapValues { entry in
            guard let colour = BoxReader.first("colr", in: entry.body.dropFirst(78)) else { return nil }
            var reader = ByteReader(colour)
            guard reader.code() == "nclx", reader.skip(2), let transfer = reader.integer(2) else { return nil }
            return [16: "PQ", 18: "HLG"][transfer]
        }
    }

    /// The first sample entry of each track, by the track's number.
    private static func sampleEntries(_ bytes: [UInt8]) -> [Int: (type: String, body: ArraySlice<UInt8>)] {
        guard let movie = BoxReader.first("moov", in: bytes[...]) else { return [:] }
        var result: [Int: (type: String, body: ArraySlice<UInt8>)] = [:]
        var boxes = BoxReader(movie)
        while let box = boxes.next() {
            guard box.type == "trak", let number = BoxReader.first("tkhd", in: box.body).flatMap(trackNumber),
                let list = BoxReader.first(["mdia", "minf", "stbl", "stsd"], in: box.body)
            else { continue }
            var entries = BoxReader(list.dropFirst(8))
            if let entry = entries.next() { result[number] = (entry.type, entry.body) }
        }
        return result
    }

    private static func trackNumber(_ body: ArraySlice<UInt8>) -> Int? {
        var reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(version == 1 ? 19 : 11) else { return nil }
        return reader.integer(4)
    }

    private static func codec(_ type: String, _ body: ArraySlice<UInt8>) -> String? {
        switch type {
        case "avc1", "avc3":
            guard let box = BoxReader.first("avcC", in: body.dropFirst(78)),
                let codec = PictureHead.codec(box.dropFirst().prefix(3))
            else { return type }
            return type + codec.dropFirst(4)
        case "mp4a": return BoxReader.first("esds", in: body.dropFirst(28)).flatMap(soundCodec) ?? type
        default: return type
        }
    }

    /// `mp4a` with object type and, for AAC, the audio object type.
    private static func soundCodec(_ body: ArraySlice<UInt8>) -> String? {
        var reader = ByteReader(body.dropFirst(4))
        guard descriptor(3, &reader), reader.skip(2), let flags = reader.byte() else { return nil }
        if flags & 0x80 != 0 { reader.skip(2) }
        guard flags & 0x40 == 0, descriptor(4, &reader), let object = reader.byte() else { return nil }
        let name = "mp4a." + String(object, radix: 16)
        guard object == 0x40, reader.skip(12), descriptor(5, &reader), let first = reader.byte() else { return name }
        return name + ".\(first >> 3)"
    }

    private static func descriptor(_ tag: Int, _ reader: inout ByteReader) -> Bool {
        guard reader.byte() == tag else { return false }
        for _ in 0..<4 {
            guard let byte = reader.byte() else { return false }
            if byte & 0x80 == 0 { return true }
        }
        return false
    }

    /// The bytes of a track's first sample, and how many of its samples have no duration.
    static func fragment(_ bytes: [UInt8], track: Int) -> (sample: ArraySlice<UInt8>?, zeroDurations: Int) {
        var (sample, zeros) = (ArraySlice<UInt8>?.none, 0)
        var boxes = BoxReader(bytes[...])
        while let box = boxes.next() {
            guard box.type == "moof" else { continue }
            let start = box.body.startIndex - 8
            var parts = BoxReader(box.body)
            while let part = parts.next() {
                guard part.type == "traf", let header = BoxReader.first("tfhd", in: part.body) else { continue }
                var reader = ByteReader(header)
                guard let flags = reader.integer(4), reader.integer(4) == track else { continue }
                var runs = BoxReader(part.body)
                while let run = runs.next() {
                    guard run.type == "trun" else { continue }
                    let read = Self.run(run.body)
                    zeros += read.zeros
                    // Offsets count from the fragment only where its header says so.
                    guard sample == nil, flags & 1 == 0, let offset = read.offset, start + offset < bytes.count,
                        start + offset > 0
                    else { continue }
                    sample = bytes[(start + offset)...]
                }
            }
        }
        return (sample, zeros)
    }

    private static func run(_ body: ArraySlice<UInt8>) -> (offset: Int?, zeros: Int) {
        var reader = ByteReader(body)
        guard let flags = reader.integer(4), let count = reader.integer(4) else { return (nil, 0) }
        let offset = flags & 1 != 0 ? reader.signed32() : nil
        // A run without samples has no first one.
        guard count > 0 else { return (nil, 0) }
        if flags & 4 != 0 { reader.skip(4) }
        guard flags & 0x100 != 0 else { return (offset, 0) }
        let others = [0x200, 0x400, 0x800].count { flags & $0 != 0 } * 4
        var zeros = 0
        for _ in 0..<count {
            guard let duration = reader.integer(4), reader.skip(others) else { break }
            if duration == 0 { zeros += 1 }
        }
        return (offset, zeros)
    }
}
