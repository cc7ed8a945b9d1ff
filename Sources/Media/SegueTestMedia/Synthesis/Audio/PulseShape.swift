/// The pulse that turns bits into audio: a 3.4 kHz low-pass filter, so that a telephone codec still carries it.
///
/// It uses only addition, multiplication, and division, which IEEE 754 defines exactly, and not the C library's
/// functions, which vary between machines.
enum PulseShape {
    /// The number of bits before and after a time that affect the audio.
    static let reach = 16

    /// The number of bits that affect the audio at a time.
    static let taps = 2 * reach

    /// The cutoff as a fraction of half the bit rate: 3400 Hz of 4000.
    private static let cutoff = 0.85

    /// The pulse's value at a distance in bits from its center.
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
        // Reduce to a quarter turn around zero, where the series converges quickly.
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
