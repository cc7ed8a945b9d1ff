/// The coded frame sizes of a transcoded track: sampled across the track and interpolated.
///
/// At a fixed quality, quiet and loud sections differ widely in size.
struct AudioFrameSizes: Sendable {
    /// The measurement of one section.
    struct Sample: Sendable {
        /// The section's middle frame.
        var frame: Int
        /// The mean frame size, in bytes.
        var bytes: Double
    }

    /// The measurements, in ascending frame order.
    private(set) var samples: [Sample] = []

    init() {}

    /// Creates sizes from measurements in ascending frame order.
    init(_ samples: [Sample]) { self.samples = samples }

    /// The size of a frame in bytes, interpolated between the nearest measurements; 0 without measurements.
    func size(of frame: Int) -> Int {
        let next = samples.partitioningIndex { $0.frame >= frame }
        guard let last = samples.last, let first = samples.first else { return 0 }
        if next == samples.count { return Int(last.bytes.rounded()) }
        if next == 0 { return Int(first.bytes.rounded()) }
        let (before, after) = (samples[next - 1], samples[next])
        let share = Double(frame - before.frame) / Double(after.frame - before.frame)
        return Int((before.bytes + (after.bytes - before.bytes) * share).rounded())
    }
}

extension AudioFrameSizes {
    /// Replaces the measurements in a range with the exact sizes of its frames.
    mutating func put(_ sizes: [Int], at range: Range<Int>) {
        samples.removeAll { range.contains($0.frame) }
        let place = samples.partitioningIndex { $0.frame >= range.lowerBound }
        samples.insert(contentsOf: zip(range, sizes).map { Sample(frame: $0, bytes: Double($1)) }, at: place)
    }
}

extension AudioTranscoder {
    /// The number of frames per measurement.
    private static let window = 8
    /// The number of segments sampled in a longer track.
    private static let sampledSegments = 128
    /// The maximum number of segments encoded completely in a longer track, to find the largest.
    private static let wholeSegments = 4
    /// The maximum length of a track that is measured completely, in frames: half a minute.
    private static let shortTrack = 1500

    /// Measures a track: completely if it is short, by samples otherwise.
    ///
    /// For a longer track, it samples segments spread over the track, then encodes the segments with the largest
    /// estimates completely.
    ///
    /// - Parameters:
    ///   - ranges: The frames of each segment.
    ///   - make: Returns a segment's frames as delivered.
    /// - Returns: The sizes.
    /// - Throws: ``MediaError`` or ``PackagingError`` if the source cannot be read or the work is canceled.
    func frameSizes(
        of ranges: [Range<Int>],
        make: (Range<Int>) throws -> [[UInt8]]
    ) throws -> AudioFrameSizes {
        let filled = ranges.filter { !$0.isEmpty }
        var sizes = AudioFrameSizes()
        guard filled.reduce(0, { $0 + $1.count }) > AudioTranscoder.shortTrack else {
            for range in filled { sizes.put(try make(range).map(\.count), at: range) }
            return sizes
        }
        // A frame's size depends less on preceding frames than its bytes do.
        var encoder = self
        encoder.preroll = 4
        let count = min(filled.count, AudioTranscoder.sampledSegments)
        sizes = AudioFrameSizes(
            try (0..<count).flatMap { place in
                try AudioTranscoder.windows(of: filled[(2 * place + 1) * filled.count / (2 * count)]).map { window in
                    let bytes = try encoder.frames(window).reduce(0) { $0 + $1.count }
                    return .init(
                        frame: (window.lowerBound + window.upperBound) / 2,
                        bytes: Double(bytes) / Double(window.count)
                    )
                }
            }
        )
        let longest = filled.map(\.count).max() ?? 0
        let candidates = filled.filter { 2 * $0.count >= longest }
        var made: Set<Int> = []
        while made.count < AudioTranscoder.wholeSegments {
            let rates = candidates.map { range in
                Double(range.reduce(0) { $0 + sizes.size(of: $1) }) / Double(range.count)
            }
            guard let greatest = rates.indices.max(by: { rates[$0] < rates[$1] }), made.insert(greatest).inserted
            else { break }
            sizes.put(try make(candidates[greatest]).map(\.count), at: candidates[greatest])
        }
        return sizes
    }

    /// The measured ranges of a segment: at one and three quarters; all of a short segment.
    private static func windows(of range: Range<Int>) -> [Range<Int>] {
        guard range.count > 4 * window else { return [range] }
        return [1, 3].map { quarter in
            let middle = range.lowerBound + range.count * quarter / 4
            return middle - window / 2..<middle + window / 2
        }
    }
}
