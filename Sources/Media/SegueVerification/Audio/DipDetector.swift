/// Looks for silences and dips in delivered audio that the source has not.
struct DipDetector {
    /// A dip: its first delivered sample and its length.
    struct Dip: Equatable {
        var first: Int64
        var count: Int64
    }

    /// Samples a channel that are measured together, and how many such pieces are judged together.
    ///
    /// That is half of a frame of AAC: where such a frame is silent, the halves of its neighbours that it overlaps
    /// leave 5 % of the strength there.
    private static let piece = 128
    private static let together = 4
    /// How much of its strength audio has lost in a dip.
    private static let depth = 10.0

    private var usual = 0.0
    /// The strengths of the last pieces, in the source and delivered.
    private var pieces: [(source: Double, delivered: Double)] = []
    /// The sample after the last piece.
    private var end: Int64 = 0
    private var open: Dip?
    private var closed: [Dip] = []

    /// Looks at samples of all channels in turn.
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
        // Loud enough to be heard among its neighbours.
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

    /// The dips that have ended since the last call.
    mutating func found() -> [Dip] {
        defer { closed = [] }
        return closed
    }

    /// The dips that are left at the end.
    mutating func finish() -> [Dip] {
        close()
        return found()
    }
}
