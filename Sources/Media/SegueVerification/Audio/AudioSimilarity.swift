/// The similarity of two pieces of audio.
struct AudioSimilarity {
    /// The mean squares of the source, of the delivered samples, of their product, and of their difference.
    var source = 0.0
    var delivered = 0.0
    var product = 0.0
    var difference = 0.0

    /// Compares the common samples, at most `count` over all channels.
    init(source: UnsafeBufferPointer<Float>, delivered: UnsafeBufferPointer<Float>, count: Int) {
        let count = min(count, source.count, delivered.count)
        guard count > 0 else { return }
        var (ss, dd, sd): (Float, Float, Float) = (0, 0, 0)
        var index = 0
        while index < count {
            // Partial sums are in single precision, totals in double precision.
            let end = min(index + 64, count)
            (ss, dd, sd) = (0, 0, 0)
            while index < end {
                let (s, d) = (source[index], delivered[index])
                ss += s * s
                dd += d * d
                sd += s * d
                index += 1
            }
            self.source += Double(ss)
            self.delivered += Double(dd)
            product += Double(sd)
        }
        difference = max(self.source + self.delivered - 2 * product, 0) / Double(count)
        self.source /= Double(count)
        self.delivered /= Double(count)
        product /= Double(count)
    }

    /// The correlation, from -1 to 1 (equality except loudness).
    var correlation: Double {
        source > 0 && delivered > 0 ? product / (source * delivered).squareRoot() : 0
    }

    /// The difference relative to the source's level.
    var error: Double { (difference / max(source, 1e-12)).squareRoot() }

    /// The mean square below which audio is too quiet to compare: -60 dBFS.
    static let quiet = 1e-6

    /// True if a lossy codec may cause the difference.
    var isAlike: Bool {
        if source < Self.quiet { return delivered < 16 * Self.quiet }
        return correlation >= 0.5
    }
}
