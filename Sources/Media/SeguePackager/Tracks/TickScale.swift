internal import SegueBase

/// A converter between time units that rounds each time, as ``Rational/rounded(scale:)`` does.
struct TickScale {
    private let base: Rational
    private let rate: Int64
    private let multiplier: Int64
    private let divisor: Int64

    /// Creates a converter from units of `base` seconds to `rate` units per second.
    init(from base: Rational, rate: Int64) {
        self.base = base
        self.rate = rate
        let factor = base * Rational(rate)
        (multiplier, divisor) = (factor.numerator, factor.denominator)
    }

    /// True if no time needs rounding.
    var isWhole: Bool { divisor == 1 }

    /// Converts a time, rounding half away from zero.
    func rounded(_ time: Int64) -> Int64 {
        if divisor == 1, multiplier == 1 { return time }
        let (product, isTooLarge) = time.multipliedReportingOverflow(by: multiplier)
        guard !isTooLarge, product.magnitude < UInt64(Int64.max) - UInt64(divisor) else {
            return (Rational(time) * base).rounded(scale: rate)
        }
        let magnitude = (Int64(product.magnitude) + divisor / 2) / divisor
        return product < 0 ? -magnitude : magnitude
    }
}
