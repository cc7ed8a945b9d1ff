/// Detects silences and dips in delivered audio that the source does not have.
struct DipDetector {
    /// A dip: its first delivered sample and its length.
    struct Dip: Equatable {
        var first: Int64
        var count: Int64
    }

    /// The samples per channel in a piece, and the number of pieces judged together.
    ///
    /// A piece is an eighth of an AAC frame. Where a frame is silent, the overlapping halves of its neighbors leave 5%
    /// of the level.
    private static let piece = 128
    private static let together = 4
    /// The attenuation factor of a dip.
    private static let depth = 10.0

    private var usual = 0.0
    /// The levels of the last pieces, in the source and delivered.
    private var pieces: [(source: Double, delivered: Double)] = []
    /// The sample after the last piece.
    private var end: Int64 = 0
    private var open: Dip?
    private var closed: [Dip] = []

    /// Examines interleaved samples.
    mutating func look(
        delivered: UnsafeBufferPointer<Float>,
        source: UnsafeBufferPointer<Float>,
        count: Int,
        channels: Int,
        at sample: Int64
    ) {
        if sample != end {
            close()
            pieces = []
        }
        end = sample
        var start = 0
        while start + Self.piece <= count {
            let length = Self.piece * channels
            let likeness = AudioSimilarity(
                source: UnsafeBufferPointer(rebasing: source[(start * channels)...]),
                delivered: UnsafeBufferPointer(rebasing: delivered[(start * channels)...]),
                count: length
            )
            end += Int64(Self.piece)
            start += Self.piece
            judge(likeness)
        }
    }

    private mutating func judge(_ likeness: AudioSimilarity) {
        usual += (likeness.source - usual) / 128
        if pieces.count == Self.together { pieces.removeFirst() }
        pieces.append((likeness.source, likeness.delivered))
        guard pieces.count == Self.together else { return }
        let source = pieces.reduce(0) { $0 + $1.source } / Double(Self.together)
        let delivered = pieces.reduce(0) { $0 + $1.delivered } / Double(Self.together)
        // Loud enough to be audible among its neighbors.
        let isHeard = source > 1e-5 && source > usual / 16
        let first = end - Int64(Self.together * Self.piece)
        if isHeard && delivered < source / Self.depth {
            let begun = open?.first ?? first
            open = Dip(first: begun, count: end - begun)
        } else if let open, open.first + open.count <= first {
            close()
        }
    }

    private mutating func close() {
        if let open { closed.append(open) }
        open = nil
    }

    /// The dips that ended since the last call.
    mutating func found() -> [Dip] {
        defer { closed = [] }
        return closed
    }

    /// The remaining dips.
    mutating func finish() -> [Dip] {
        close()
        return found()
    }
}
