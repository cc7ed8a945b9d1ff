internal import Dispatch
internal import SegueBase
internal import Synchronization

/// A measurement of the coded size of transcoded video.
struct VideoMeasuring {
    let encoder: VideoTranscoder
    /// The frames of each segment.
    let ranges: [Range<Int>]
    /// The duration of each segment, in seconds.
    let durations: [Rational]
    /// The duration of each segment's first frame in an I-frame playlist, in seconds.
    let keyDurations: [Rational]

    /// The macroblocks per frame.
    private var macroblocks: Int {
        VideoLevel.macroblocks(encoder.transcoded.settings.width, encoder.transcoded.settings.height)
    }

    /// The rates of a video short enough to be encoded completely; nil for a longer one.
    var ratesOfShort: FilmRates? {
        guard ranges.reduce(0, { $0 + $1.count }) * macroblocks <= VideoRates.effort else { return nil }
        return FilmRates(segments: VideoRates(peak: limit), keys: VideoRates(peak: limit))
    }

    /// The device's maximum bit rate.
    private var limit: Double? { encoder.transcoded.settings.limits.greatestBitRate.map(Double.init) }

    /// Encodes a limited sample of frames and estimates the rest.
    func rates() throws -> FilmRates {
        if let short = ratesOfShort {
            return FilmRates(
                segments: try measured(ranges, durations: durations, rates: short.segments),
                keys: try measured(ranges.map { $0.prefix(1) }, durations: keyDurations, rates: short.keys)
            )
        }
        return FilmRates(segments: try expectedSegments(), keys: try expectedKeys())
    }

    /// Estimates a longer video's segments.
    private func expectedSegments() throws -> VideoRates {
        let expected = try expected()
        var rates = VideoRates(sizes: expected.sizes, pattern: expected.pattern)
        let bits = zip(rates.sizes, durations).map { Double($0 * 8) / max(1, $1.seconds) }
        guard let strongest = bits.indices.max(by: { bits[$0] < bits[$1] }) else { return rates }
        let peak = min(bits[strongest] * VideoRates.doubt, limit ?? .infinity)
        rates.peak = peak
        if peak != limit { rates.worst = VideoRates.worstForExpectation }
        rates.strongest = strongest
        rates.sizes = zip(rates.sizes, durations).map { min($0, rates.most(for: $1) ?? $0) }
        rates.sizes[strongest] = rates.most(for: durations[strongest]) ?? rates.sizes[strongest]
        return rates
    }

    /// Estimates the first frames of a longer video's segments.
    ///
    /// It encodes a spread sample and those with the highest source bit rate; the largest is the peak.
    private func expectedKeys() throws -> VideoRates {
        let near = nearPlaces
        let half = VideoRates.sampledKeys / 2
        let rate = { (number: Int) in
            Double(source(ranges[number].lowerBound)) / max(1, keyDurations[number].seconds)
        }
        let large = near.sorted { rate($0) > rate($1) }.prefix(half)
        let even = Set(VideoMeasuring.spread(half, over: near))
        let places = even.union(large).sorted()
        guard !places.isEmpty else { return VideoRates() }
        let made = try sizes(of: places.map { ranges[$0].prefix(1) }).map { $0.reduce(0) { $0 + $1.bytes } }
        let known = Dictionary(uniqueKeysWithValues: zip(places, made))
        let mean = even.reduce(0) { $0 + (known[$1] ?? 0) } / max(1, even.count)
        let bits = places.map { Double((known[$0] ?? 0) * 8) / max(1, keyDurations[$0].seconds) }
        var rates = VideoRates(peak: min(bits.max() ?? 0, limit ?? .infinity))
        if rates.peak != limit { rates.worst = VideoRates.worstForExpectation }
        rates.sizes = ranges.indices.map { number in
            guard !ranges[number].isEmpty else { return 0 }
            let size = known[number] ?? mean
            return min(size, rates.most(for: keyDurations[number]) ?? size)
        }
        return rates
    }

    /// The sizes of all segments, encoded as delivered.
    private func measured(
        _ ranges: [Range<Int>],
        durations: [Rational],
        rates: VideoRates
    ) throws -> VideoRates {
        var result = rates
        for (number, range) in ranges.enumerated() {
            let coded = try encoder.frames(range, number: number, duration: durations[number], rates: rates)
            result.sizes.append(coded.reduce(0) { $0 + $1.bytes.count })
            result.frameSizes += coded.map(\.bytes.count)
        }
        return result
    }

    /// The nonempty segments that are quick to reach; the first nonempty one if there are none.
    private var nearPlaces: [Int] {
        let filled = ranges.indices.filter { !ranges[$0].isEmpty }
        let near = filled.filter { !encoder.isFar(ranges[$0].lowerBound) }
        return near.isEmpty ? Array(filled.prefix(1)) : near
    }

    /// Selects `count` evenly spread places.
    private static func spread(_ count: Int, over places: [Int]) -> [Int] {
        places.isEmpty ? [] : (0..<count).map { places[(2 * $0 + 1) * places.count / (2 * count)] }
    }

    /// Estimates all segment sizes from the beginnings of some; also returns the sizes of the sampled frames.
    private func expected() throws -> (sizes: [Int], pattern: [Int]) {
        let window = VideoRates.window
        let count = max(2, min(ranges.count { !$0.isEmpty }, VideoRates.sampled / (macroblocks * window)))
        let places = Set(VideoMeasuring.spread(count, over: nearPlaces)).sorted()
        var (first, firsts, sources) = (0, 0, 0)
        var pattern: [Int] = []
        for coded in try sizes(of: places.map { ranges[$0].prefix(window) }) {
            if let frame = coded.first { (first, firsts) = (first + frame.bytes, firsts + 1) }
            for frame in coded.dropFirst() {
                pattern.append(frame.bytes)
                sources += source(frame.place)
            }
        }
        let share = sources > 0 ? Double(pattern.reduce(0, +)) / Double(sources) : 0
        let sizes = ranges.map { range in
            guard !range.isEmpty else { return 0 }
            let rest = range.dropFirst().reduce(0) { $0 + source($1) }
            return first / max(1, firsts) + Int(Double(rest) * share)
        }
        return (sizes, pattern)
    }

    /// Encodes ranges in parallel, because nothing else can start before they are known.
    private func sizes(of ranges: [Range<Int>]) throws -> [[(place: Int, bytes: Int)]] {
        let results = Mutex([Int: Result<[(place: Int, bytes: Int)], any Error>]())
        DispatchQueue.concurrentPerform(iterations: ranges.count) { number in
            let result = Result {
                try encoder.frames(ranges[number]).map { (place: $0.place, bytes: $0.bytes.count) }
            }
            results.withLock { $0[number] = result }
        }
        return try results.withLock { results in try ranges.indices.map { try results[$0]?.get() ?? [] } }
    }

    /// The size of a frame's packet in the source, in bytes.
    private func source(_ place: Int) -> Int {
        Int(encoder.index.packets[encoder.transcoded.packets[place]].size)
    }
}
