internal import Synchronization

/// What was transcoded last, for any caller that wants the same: another rendition with the same audio, or the segment
/// of which only the size was requested.
final class CodedPieces<Stretch: Hashable & Sendable, Piece: Sendable>: Sendable {
    private struct State {
        var kept: [Stretch: [Piece]] = [:]
        /// In the order in which they were made.
        var order: ArraySlice<Stretch> = []
        var bytes = 0
    }

    private let limit: Int
    private let size: @Sendable (Piece) -> Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: The number of bytes are kept at most; 0 for none.
    ///   - size: The number of bytes a piece has.
    init(limit: Int, size: @escaping @Sendable (Piece) -> Int) {
        self.limit = limit
        self.size = size
    }

    /// The pieces of a stretch: kept, or made now.
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

/// What was transcoded of a presentation's tracks.
struct CodedTracks: Sendable {
    /// Frames of audio.
    let sounds: CodedPieces<AudioStretch, [UInt8]>
    /// Frames.
    let pictures: CodedPieces<VideoStretch, VideoTranscoder.Coded>

    /// - Parameter limit: The number of bytes are kept of each at most; 0 for none.
    init(limit: Int) {
        sounds = CodedPieces(limit: limit) { $0.count }
        pictures = CodedPieces(limit: limit) { $0.bytes.count }
    }
}

/// Frames of a stream of audio.
struct AudioStretch: Hashable, Sendable {
    var stream: Int
    var frames: Range<Int>
}

/// Frames of a film, and all that their bytes depend on.
struct VideoStretch: Hashable, Sendable {
    /// What they are held to, by which one of the film's sizes is told from the others.
    var limits: VideoLimits
    var places: Range<Int>
    /// The number of bytes they should have at least, and may have at most.
    var least: Int
    var most: Int?
    /// x264's constant quality beyond which they are not made worse.
    var worst: Double
}
