/// Looks for silences and dips in delivered sound that the source has not.
struct DipDetector {
    /// A dip: its first delivered sample and its length.
    struct Dip: Equatable {
        var first: Int64
        var count: Int64
    }

    /// Samples a channel that are judged together, and how many such windows make a dip.
    private static let window = 256
    private static let least = 2

    private var usual = 0.0
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
        var start = 0
        while start + Self.window <= count {
            let length = Self.window * channels
            let likeness = SoundLikeness(
                source: UnsafeBufferPointer(rebasing: source[(start * channels)...]),
                delivered: UnsafeBufferPointer(rebasing: delivered[(start * channels)...]),
                count: length
            )
            judge(likeness, at: sample + Int64(start))
            start += Self.window
        }
    }

    private mutating func judge(_ likeness: SoundLikeness, at sample: Int64) {
        usual += (likeness.source - usual) / 64
        // Loud enough to be heard among its neighbours, and a hundredth of its strength left.
        let isDip =
            likeness.source > 1e-5 && likeness.source > usual / 16 && likeness.delivered < likeness.source / 100
        if isDip {
            if open == nil { open = Dip(first: sample, count: 0) }
            open?.count += Int64(Self.window)
        } else {
            close()
        }
    }

    private mutating func close() {
        if let open, open.count >= Int64(Self.least * Self.window) { closed.append(open) }
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
