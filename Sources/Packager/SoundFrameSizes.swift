/// How large the coded frames of a transcoded track are: measured at places spread over it, and reckoned between them.
///
/// At a fixed quality a frame takes what its sound needs, so that quiet and loud stretches differ by far.
struct SoundFrameSizes: Sendable {
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

extension SoundEncoder {
    /// Frames at one place.
    private static let window = 16
    /// How many places are measured at most: some ten seconds of sound in all.
    private static let places = 32
    /// Frames of a track that is measured as a whole: half a minute.
    private static let shortTrack = 1500

    /// Encodes some frames at places spread over a track and measures them; a short track as a whole.
    ///
    /// - Parameter frames: How many frames the track has.
    /// - Returns: The sizes.
    /// - Throws: ``MediaError`` or ``PackagingError`` when the source cannot be read or reading is cancelled.
    func frameSizes(of frames: Int) throws -> SoundFrameSizes {
        let (window, places) = (SoundEncoder.window, SoundEncoder.places)
        guard frames > SoundEncoder.shortTrack else {
            return SoundFrameSizes(
                try self.frames(0..<frames).enumerated().map { .init(frame: $0, bytes: Double($1.count)) }
            )
        }
        // What size a frame has does not depend on what came before as much as its bytes do.
        var encoder = self
        encoder.preroll = 4
        return SoundFrameSizes(
            try (0..<places).map { place in
                let middle = frames * (2 * place + 1) / (2 * places)
                let range = middle - window / 2..<min(frames, middle + window / 2)
                let bytes = try encoder.frames(range).reduce(0) { $0 + $1.count }
                return .init(frame: middle, bytes: Double(bytes) / Double(range.count))
            }
        )
    }
}
