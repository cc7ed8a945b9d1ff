/// How large the coded frames of a transcoded track are: measured at places spread over it, and reckoned between them.
///
/// At a fixed quality a frame takes what its audio needs, so that quiet and loud stretches differ by far.
struct AudioFrameSizes: Sendable {
    /// A stretch that was measured.
    struct Sample: Sendable {
        /// The frame in its middle.
        var frame: Int
        /// Bytes of one of its frames, on average.
        var bytes: Double
    }

    /// Ascending.
    private(set) var samples: [Sample] = []

    /// Nothing measured.
    init() {}

    /// Sizes from what was measured, ascending by frame.
    init(_ samples: [Sample]) { self.samples = samples }

    /// Bytes of a frame: between the nearest places on both sides, in proportion; 0 where nothing was measured.
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
    /// Replaces what was measured in a range by the sizes of all its frames.
    mutating func put(_ sizes: [Int], at range: Range<Int>) {
        samples.removeAll { range.contains($0.frame) }
        let place = samples.partitioningIndex { $0.frame >= range.lowerBound }
        samples.insert(contentsOf: zip(range, sizes).map { Sample(frame: $0, bytes: Double($1)) }, at: place)
    }
}

extension AudioTranscoder {
    /// Frames at one place.
    private static let window = 8
    /// The number of segments of a longer track are looked into.
    private static let sampledSegments = 128
    /// The number of segments of a longer track are made as a whole at most, to know the maximum.
    private static let wholeSegments = 4
    /// Frames of a track that is measured as a whole: half a minute.
    private static let shortTrack = 1500

    /// Encodes some frames of a track and measures them; all of a short one, as they are delivered.
    ///
    /// Of a longer one, some places in segments spread over it are measured, and those segments as a whole that are
    /// then expected to be the maximum.
    ///
    /// - Parameters:
    ///   - ranges: The frames of each segment.
    ///   - make: Gives the frames of a segment as they are delivered.
    /// - Returns: The sizes.
    /// - Throws: ``MediaError`` or ``PackagingError`` if the source cannot be read or reading is cancelled.
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
        // What size a frame has does not depend on what came before as much as its bytes do.
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

    /// Places in a segment that are measured: at a quarter and at three quarters; a short one as a whole.
    private static func windows(of range: Range<Int>) -> [Range<Int>] {
        guard range.count > 4 * window else { return [range] }
        return [1, 3].map { quarter in
            let middle = range.lowerBound + range.count * quarter / 4
            return middle - window / 2..<middle + window / 2
        }
    }
}
