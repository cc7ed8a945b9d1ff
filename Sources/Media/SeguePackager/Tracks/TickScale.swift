internal import SegueBase

/// Turns times in one unit into another, each rounded alone, as ``Timeline/Rational/rounded(scale:)`` does.
struct TickScale {
    private let base: Rational
    private let rate: Int64
    private let multiplier: Int64
    private let divisor: Int64

    /// A scale.
    ///
    /// - Parameters:
    ///   - base: The unit of the given times, in seconds.
    ///   - rate: The number of of the wished units a second has.
    init(from base: Rational, rate: Int64) {
        self.base = base
        self.rate = rate
        let factor = base * Rational(rate)
        (multiplier, divisor) = (factor.numerator, factor.denominator)
    }

    /// True if no time has to be rounded.
    var isWhole: Bool { divisor == 1 }

    /// A time in the wished unit, rounded half away from zero.
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
