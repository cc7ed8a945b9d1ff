internal import Dispatch
internal import Synchronization
internal import Timeline

/// Finds out how many bytes the pictures of a transcoded film take.
struct PictureMeasuring {
    let encoder: PictureEncoder
    /// The places of each segment's pictures.
    let ranges: [Range<Int>]
    /// The length of each segment, in seconds.
    let durations: [Rational]

    /// The macroblocks of a picture.
    private var macroblocks: Int {
        PictureLevel.macroblocks(encoder.pictures.settings.width, encoder.pictures.settings.height)
    }

    /// What all segments of a film are held to that is short enough to be made as a whole; nil for a longer one.
    var ratesOfShort: PictureRates? {
        guard ranges.reduce(0, { $0 + $1.count }) * macroblocks <= PictureRates.effort else { return nil }
        return PictureRates(peak: encoder.pictures.settings.limits.greatestBitRate.map(Double.init))
    }

    /// Makes as many pictures as is worth the while, and reckons the rest.
    ///
    /// - Throws: ``MediaError`` or ``PackagingError`` when the source cannot be read or the work is cancelled.
    func rates() throws -> PictureRates {
        if let short = ratesOfShort { return try measured(short) }
        let limit = encoder.pictures.settings.limits.greatestBitRate.map(Double.init)
        var rates = PictureRates(sizes: try expected())
        let bits = zip(rates.sizes, durations).map { Double($0 * 8) / max(1, $1.seconds) }
        guard let strongest = bits.indices.max(by: { bits[$0] < bits[$1] }) else { return rates }
        let peak = min(bits[strongest] * PictureRates.doubt, limit ?? .infinity)
        rates.peak = peak
        if peak != limit { rates.worst = PictureRates.worstForExpectation }
        rates.strongest = strongest
        rates.sizes = zip(rates.sizes, durations).map { min($0, rates.most(for: $1) ?? $0) }
        rates.sizes[strongest] = rates.most(for: durations[strongest]) ?? rates.sizes[strongest]
        return rates
    }

    /// The sizes of all segments, made as they are delivered.
    private func measured(_ rates: PictureRates) throws -> PictureRates {
        var result = rates
        for (number, range) in ranges.enumerated() {
            let coded = try encoder.pictures(range, number: number, duration: durations[number], rates: rates)
            result.sizes.append(coded.reduce(0) { $0 + $1.bytes.count })
            result.keySizes.append(coded.first?.bytes.count ?? 0)
            result.pictureSizes += coded.map(\.bytes.count)
        }
        return result
    }

    /// The sizes of all segments as the beginnings of some lead to expect.
    private func expected() throws -> [Int] {
        let filled = ranges.indices.filter { !ranges[$0].isEmpty }
        let window = PictureRates.window
        let count = max(2, min(filled.count, PictureRates.sampled / (macroblocks * window)))
        guard let earliest = filled.first else { return ranges.map { _ in 0 } }
        var near = filled.filter { !encoder.isFar(ranges[$0].lowerBound) }
        if near.isEmpty { near = [earliest] }
        let places = Set((0..<count).map { near[(2 * $0 + 1) * near.count / (2 * count)] }).sorted()
        var (first, firsts, others, sources) = (0, 0, 0, 0)
        for coded in try sizes(of: places.map { ranges[$0].prefix(window) }) {
            if let picture = coded.first { (first, firsts) = (first + picture.bytes, firsts + 1) }
            for picture in coded.dropFirst() {
                others += picture.bytes
                sources += source(picture.place)
            }
        }
        let share = sources > 0 ? Double(others) / Double(sources) : 0
        return ranges.map { range in
            guard !range.isEmpty else { return 0 }
            let rest = range.dropFirst().reduce(0) { $0 + source($1) }
            return first / max(1, firsts) + Int(Double(rest) * share)
        }
    }

    /// The pictures of some ranges with their sizes; the ranges are made side by side, as nothing else can be begun
    /// before they are known.
    private func sizes(of ranges: [Range<Int>]) throws -> [[(place: Int, bytes: Int)]] {
        let results = Mutex([Int: Result<[(place: Int, bytes: Int)], any Error>]())
        DispatchQueue.concurrentPerform(iterations: ranges.count) { number in
            let result = Result {
                try encoder.pictures(ranges[number]).map { (place: $0.place, bytes: $0.bytes.count) }
            }
            results.withLock { $0[number] = result }
        }
        return try results.withLock { results in try ranges.indices.map { try results[$0]?.get() ?? [] } }
    }

    /// The bytes of a picture's packet in the source.
    private func source(_ place: Int) -> Int {
        Int(encoder.index.packets[encoder.pictures.packets[place]].size)
    }
}
