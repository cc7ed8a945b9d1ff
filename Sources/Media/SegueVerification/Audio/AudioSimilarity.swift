/// How alike two pieces of audio are.
struct AudioSimilarity {
    /// Mean square of the source's samples, of the delivered ones, of their product and of their difference.
    var source = 0.0
    var delivered = 0.0
    var product = 0.0
    var difference = 0.0

    /// Compares as many samples as both have, at most `count` of all channels together.
    init(source: UnsafeBufferPointer<Float>, delivered: UnsafeBufferPointer<Float>, count: Int) {
        let count = min(count, source.count, delivered.count)
        guard count > 0 else { return }
        var (ss, dd, sd): (Float, Float, Float) = (0, 0, 0)
        var index = 0
        while index < count {
            // Sums of a few samples in single precision, sums of those in double.
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

    /// From 1, the same but for loudness, over 0, nothing in common, to -1.
    var correlation: Double {
        source > 0 && delivered > 0 ? product / (source * delivered).squareRoot() : 0
    }

    /// The difference as a fraction of the source's strength.
    var error: Double { (difference / max(source, 1e-12)).squareRoot() }

    /// Below this mean square (-60 dB of full scale) audio is too quiet to be compared by shape.
    static let quiet = 1e-6

    /// True if a lossy codec may have made the one of the other.
    var isAlike: Bool {
        if source < Self.quiet { return delivered < 16 * Self.quiet }
        return correlation >= 0.5
    }
}
