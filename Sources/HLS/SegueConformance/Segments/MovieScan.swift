internal import SegueContainers

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
