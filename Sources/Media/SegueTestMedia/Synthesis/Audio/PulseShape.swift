/// The pulse that turns bits into audio: a low-pass filter at 3.4 kHz, so that a telephone codec still carries it.
///
/// Everything here is built from addition, multiplication and division, which IEEE 754 fixes to the last bit, and not
/// from the C library's functions, which differ from machine to machine.
enum PulseShape {
    /// The number of bits before a point in time still audio at it, and how many after it.
    static let reach = 16

    /// The number of bits that audio at any one time.
    static let taps = 2 * reach

    /// The highest audio, as a fraction of half the bit rate: 3400 Hz of 4000.
    private static let cutoff = 0.85

    /// The pulse's height `offset` bits from its middle, 1 bit apart being 1.
    static func height(at offset: Double) -> Double {
        let fraction = offset / Double(reach)
        guard fraction > -1, fraction < 1 else { return 0 }
        let angle = cutoff * offset
        let sinc = angle == 0 ? 1 : sine(halfTurns: angle) / (3.141592653589793 * angle)
        return cutoff * sinc * kaiser(fraction)
    }

    /// The Kaiser window with beta 6, from -1 to 1.
    private static func kaiser(_ position: Double) -> Double {
        bessel(36 * (1 - position * position) / 4) / bessel(36 / 4)
    }

    /// The modified Bessel function of order zero of `2 * squareRoot(quarterSquare)`.
    private static func bessel(_ quarterSquare: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for step in 1...24 {
            term *= quarterSquare / Double(step * step)
            sum += term
        }
        return sum
    }

    /// The sine of `halfTurns` times pi.
    static func sine(halfTurns: Double) -> Double {
        // Fold into a quarter turn on either side of zero, where the series ends quickly.
        let nearest = halfTurns.rounded()
        let angle = (halfTurns - nearest) * 3.141592653589793
        var (sum, term) = (angle, angle)
        for step in 1...10 {
            term *= -angle * angle / Double(2 * step * (2 * step + 1))
            sum += term
        }
        return nearest.truncatingRemainder(dividingBy: 2) == 0 ? sum : -sum
    }
}
