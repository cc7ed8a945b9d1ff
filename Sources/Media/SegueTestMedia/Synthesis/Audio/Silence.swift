/// A detector of silence in a recording.
struct Silence: Sendable {
    /// The absolute silence threshold, relative to full scale: -60 dB.
    static let limit: Float = 0.001

    /// The block size: ten milliseconds.
    private static let block = AudioFollower.rate / 100

    /// The loudness of the last voice; audio 20 dB below it is also silent.
    var voice: Float = 0

    /// The RMS of a piece.
    static func loudness(of piece: ArraySlice<Float>) -> Float {
        (piece.reduce(0) { $0 + $1 * $1 } / Float(max(piece.count, 1))).squareRoot()
    }

    /// The number of silent samples in a range of a piece that begins at sample `index`.
    func count(in piece: [Float], at index: Int64, from: Int64, to: Int64) -> Int64 {
        let first = Int(min(max(from - index, 0), Int64(piece.count)))
        let last = Int(min(max(to - index, Int64(first)), Int64(piece.count)))
        var count = 0
        for start in stride(from: first, to: last, by: Self.block) {
            let block = piece[start..<min(start + Self.block, last)]
            if Self.loudness(of: block) <= max(Self.limit, voice / 10) { count += block.count }
        }
        return Int64(count)
    }
}
