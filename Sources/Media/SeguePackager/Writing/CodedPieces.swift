internal import Synchronization

/// A cache of recently coded frames, for other renditions with the same audio, or for a segment of which only the size
/// was requested.
final class CodedPieces<Stretch: Hashable & Sendable, Piece: Sendable>: Sendable {
    private struct State {
        var kept: [Stretch: [Piece]] = [:]
        /// The stretches in insertion order.
        var order: ArraySlice<Stretch> = []
        var bytes = 0
    }

    private let limit: Int
    private let size: @Sendable (Piece) -> Int
    private let state = Mutex(State())

    /// Creates a cache of at most `limit` bytes (0 disables it); `size` returns the bytes of a piece.
    init(limit: Int, size: @escaping @Sendable (Piece) -> Int) {
        self.limit = limit
        self.size = size
    }

    /// Returns the pieces of a stretch from the cache, or makes them.
    func pieces(of stretch: Stretch, make: () throws -> [Piece]) rethrows -> [Piece] {
        guard limit > 0 else { return try make() }
        if let kept = state.withLock({ $0.kept[stretch] }) { return kept }
        let made = try make()
        let bytes = bytes(of: made)
        state.withLock { state in
            guard bytes <= limit, state.kept.updateValue(made, forKey: stretch) == nil else { return }
            state.order.append(stretch)
            state.bytes += bytes
            while state.bytes > limit, let oldest = state.order.popFirst() {
                state.bytes -= state.kept.removeValue(forKey: oldest).map(self.bytes) ?? 0
            }
        }
        return made
    }

    private func bytes(of pieces: [Piece]) -> Int { pieces.reduce(0) { $0 + size($1) } }
}

/// The caches of a presentation's transcoded tracks.
struct CodedTracks: Sendable {
    let audioTracks: CodedPieces<AudioStretch, [UInt8]>
    let frames: CodedPieces<VideoStretch, VideoTranscoder.Coded>

    /// Creates caches of `limit` bytes each; 0 disables them.
    init(limit: Int) {
        audioTracks = CodedPieces(limit: limit) { $0.count }
        frames = CodedPieces(limit: limit) { $0.bytes.count }
    }
}

/// A range of audio frames of a stream.
struct AudioStretch: Hashable, Sendable {
    var stream: Int
    var frames: Range<Int>
}

/// A range of video frames with everything that affects their bytes.
struct VideoStretch: Hashable, Sendable {
    /// The limits, which also distinguish the sizes of one video.
    var limits: VideoLimits
    /// The subtitle stream in the video; nil without.
    var burned: Int?
    var places: Range<Int>
    /// The minimum and maximum size, in bytes.
    var least: Int
    var most: Int?
    /// x264's constant quality beyond which quality is not reduced.
    var worst: Double
}
