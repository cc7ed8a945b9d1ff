internal import SegueContainers

/// Reads single boxes of initialization sections and fragments.
enum MovieScan {
    /// The major and compatible brands of `ftyp`.
    static func brands(_ bytes: [UInt8]) -> [String] {
        guard let body = BoxReader.first("ftyp", in: bytes[...]) else { return [] }
        var reader = ByteReader(body)
        var brands: [String] = []
        if let major = reader.code() { brands.append(major.description) }
        reader.skip(4)
        while let brand = reader.code() { brands.append(brand.description) }
        return brands
    }

    /// Returns true if `moov` contains `mvex`.
    static func hasMovieExtends(_ bytes: [UInt8]) -> Bool { BoxReader.first(["moov", "mvex"], in: bytes[...]) != nil }

    /// The bytes from a track's first sample, and its number of samples with zero duration.
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
                    // Without base-data-offset, offsets are relative to the moof.
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
