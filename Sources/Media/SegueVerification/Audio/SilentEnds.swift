/// The check that delivered audio is silent where the source has none before its first sample and after its last.
struct SilentEnds {
    /// The number of delivered samples before the source's first.
    private let priming: Int64
    private var firstLoud: Int64?
    private var lastLoud: Int64 = -1

    /// The maximum level of silence; a lossy codec is not exact.
    private static let level: Float = 0.02
    /// The number of samples around the source's audio over which a codec spreads it.
    private static let spread: Int64 = 4096

    init(priming: Int64) { self.priming = priming }

    /// Adds delivered samples by channel.
    mutating func add(_ samples: [[Float]], at start: Int64, length: Int64) {
        // Inside, only the last position counts.
        guard samples.contains(where: { $0.contains { abs($0) > Self.level } }) else { return }
        firstLoud = firstLoud ?? start + length - 1
        lastLoud = start
    }

    /// The first loud sample outside the source's audio; nil if there is none.
    func loud(contentEnd: Int64) -> Int64? {
        if let firstLoud, firstLoud < priming - Self.spread { return firstLoud }
        return lastLoud > contentEnd + Self.spread ? lastLoud : nil
    }
}
