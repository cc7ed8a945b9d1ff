internal import Containers

/// Looks into the boxes of initialization sections and fragments for what rules ask.
enum MovieScan {
    /// The brands of an `ftyp`.
    static func brands(_ bytes: [UInt8]) -> [String] {
        guard let body = BoxReader.first("ftyp", in: bytes[...]) else { return [] }
        var reader = ByteReader(body)
        var brands: [String] = []
        if let major = reader.code() { brands.append(major.description) }
        reader.skip(4)
        while let brand = reader.code() { brands.append(brand.description) }
        return brands
    }

    /// Whether there is a movie box that says that fragments follow.
    static func hasMovieExtends(_ bytes: [UInt8]) -> Bool { BoxReader.first(["moov", "mvex"], in: bytes[...]) != nil }

    /// The codec of each track as `CODECS` has it, as far as its sample entry tells.
    static func parameters(_ bytes: [UInt8]) -> [Int: String] { sampleEntries(bytes).mapValues(codec) }

    /// `PQ` or `HLG` for each track whose sample entry says so in its colour box (ISO/IEC 23091-2, table 3).
    static func videoRanges(_ bytes: [UInt8]) -> [Int: String] {
        sampleEntries(bytes).compactMapValues { entry in
            guard let colour = BoxReader.first("colr", in: entry.boxes(behind: .visual)) else { return nil }
            var reader = ByteReader(colour)
            guard reader.code() == "nclx", reader.skip(2), let transfer = reader.integer(2) else { return nil }
            return [16: "PQ", 18: "HLG"][transfer]
        }
    }

    /// The first sample entry of each track, by the track's number.
    private static func sampleEntries(_ bytes: [UInt8]) -> [Int: SampleEntry] {
        guard let movie = BoxReader.first("moov", in: bytes[...]) else { return [:] }
        var result: [Int: SampleEntry] = [:]
        var boxes = BoxReader(movie)
        while let box = boxes.next() {
            guard box.type == "trak",
                let number = BoxReader.first("tkhd", in: box.body).flatMap(MovieHeads.trackNumber),
                let list = BoxReader.first(["mdia", "minf", "stbl", "stsd"], in: box.body)
            else { continue }
            if let entry = SampleEntry(list) { result[number] = entry }
        }
        return result
    }

    private static func codec(_ entry: SampleEntry) -> String {
        let type = entry.type.description
        switch entry.type {
        case "avc1", "avc3":
            guard let box = BoxReader.first("avcC", in: entry.boxes(behind: .visual)),
                let codec = PictureHead.codec(box.dropFirst().prefix(3))
            else { return type }
            return type + codec.dropFirst(4)
        case "mp4a":
            guard let box = BoxReader.first("esds", in: entry.boxes(behind: .audio)),
                let descriptor = ElementaryDescriptor(box)
            else { return type }
            // Object type and, for AAC, the audio object type.
            let name = type + "." + String(descriptor.objectType, radix: 16)
            guard descriptor.objectType == 0x40, let first = descriptor.firstOfDecoder else { return name }
            return name + ".\(first >> 3)"
        default: return type
        }
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
                guard part.type == "traf", let head = BoxReader.first("tfhd", in: part.body).flatMap(FragmentHead.init),
                    head.track == track
                else { continue }
                var runs = BoxReader(part.body)
                while let run = runs.next() {
                    guard run.type == "trun", let run = TrackRun(run.body), run.count > 0 else { continue }
                    zeros += zeroDurations(of: run)
                    // Offsets count from the fragment only where its head says so.
                    guard sample == nil, !head.hasBase, let offset = run.dataOffset, start + offset < bytes.count,
                        start + offset > 0
                    else { continue }
                    sample = bytes[(start + offset)...]
                }
            }
        }
        return (sample, zeros)
    }

    private static func zeroDurations(of run: TrackRun) -> Int {
        guard run.tellsDurations else { return 0 }
        var (run, zeros) = (run, 0)
        while let sample = run.next() { zeros += sample.duration == 0 ? 1 : 0 }
        return zeros
    }
}
