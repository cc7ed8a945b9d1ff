/// Tells what of a recording's audio is silent.
struct Silence: Sendable {
    /// Below this, full scale being 1, it is silent whatever was heard before: -60 dB.
    static let limit: Float = 0.001

    /// Silence is told in pieces of ten milliseconds.
    private static let block = AudioFollower.rate / 100

    /// How loud the voice was that was heard last; what is 20 dB below it is silent too.
    var voice: Float = 0

    /// The root of the mean square of a piece.
    static func loudness(of piece: ArraySlice<Float>) -> Float {
        (piece.reduce(0) { $0 + $1 * $1 } / Float(max(piece.count, 1))).squareRoot()
    }

    /// The number of samples of a piece are silent, of those from one to another.
    ///
    /// - Parameters:
    ///   - piece: The samples.
    ///   - index: The number of the first one in the recording.
    ///   - from: The number of the first one that counts.
    ///   - to: The number of the one after the last that counts.
    /// - Returns: Their number.
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
