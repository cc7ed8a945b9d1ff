/// An exact fraction of 64-bit integers, in lowest terms, its denominator above zero.
///
/// Media times are rationals throughout (seconds as a fraction of a time scale); they are rounded only when they are
/// printed or written in a container's own time scale.
public struct Rational: Sendable, Hashable {
    /// The numerator; carries the sign.
    public let numerator: Int64

    /// The denominator, at least 1.
    public let denominator: Int64

    /// Nothing.
    public static let zero = Rational(0)

    /// A whole number.
    ///
    /// - Parameter whole: The number.
    public init(_ whole: Int64) {
        numerator = whole
        denominator = 1
    }

    /// A fraction, brought to lowest terms.
    ///
    /// - Parameters:
    ///   - numerator: The numerator; carries the sign, or a part of it.
    ///   - denominator: The denominator.
    /// - Precondition: The denominator is not zero, and the reduced parts fit 64 bits.
    public init(_ numerator: Int64, _ denominator: Int64) {
        self.init(wide: Int128(numerator), Int128(denominator))
    }

    /// A fraction of wide integers; where the reduced parts do not fit 64 bits, the nearest nanosecond fraction, and
    /// where that is too large for them, too, the nearest whole number.
    private init(wide numerator: Int128, _ denominator: Int128) {
        precondition(denominator != 0, "a rational's denominator cannot be zero")
        var (numerator, denominator) = denominator < 0 ? (-numerator, -denominator) : (numerator, denominator)
        let divisor = Rational.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        numerator /= Int128(divisor)
        denominator /= Int128(divisor)
        if let small = Int64(exactly: numerator), let smallDenominator = Int64(exactly: denominator) {
            self.numerator = small
            self.denominator = smallDenominator
        } else {
            (self.numerator, self.denominator) = Rational.rounded(numerator, denominator)
        }
    }

    private static func rounded(_ numerator: Int128, _ denominator: Int128) -> (Int64, Int64) {
        let scale: Int128 = 1_000_000_000
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        guard let seconds = Int64(exactly: whole), seconds.magnitude < UInt64(Int64.max / 1_000_000_000) else {
            return (Int64(clamping: whole), 1)
        }
        // The last digits of what is too long to be scaled are less than a nanosecond.
        let shift = rest.magnitude.leadingZeroBitCount > 31 ? 0 : 32
        let fraction = (rest >> shift) * scale / (denominator >> shift)
        return (Int64(clamping: whole * scale + fraction), Int64(scale))
    }

    /// The nearest fraction with the given denominator to a number of seconds; zero for what is no number.
    ///
    /// - Parameters:
    ///   - seconds: The number of seconds.
    ///   - scale: The denominator, above zero.
    public init(seconds: Double, scale: Int64 = 1_000_000) {
        self.init(Int64(reckoned: (seconds * Double(scale)).rounded()), scale)
    }

    /// The value as a floating-point number, for display and estimates only.
    public var seconds: Double { Double(numerator) / Double(denominator) }

    /// How many units of `1/scale` this is, rounded half away from zero.
    ///
    /// - Parameter scale: The denominator, above zero.
    /// - Returns: How many, as near as 64 bits allow.
    public func rounded(scale: Int64) -> Int64 {
        let product = Int128(numerator) * Int128(scale)
        let half = Int128(denominator) / 2
        let magnitude = (Int128(product.magnitude) + half) / Int128(denominator)
        return Int64(clamping: product < 0 ? -magnitude : magnitude)
    }

    /// How many whole units of `1/scale` are in this, rounded towards negative infinity.
    ///
    /// - Parameter scale: The denominator, above zero.
    /// - Returns: How many, as near as 64 bits allow.
    public func floored(scale: Int64 = 1) -> Int64 {
        let product = Int128(numerator) * Int128(scale)
        let quotient = product / Int128(denominator)
        return Int64(clamping: product % Int128(denominator) < 0 ? quotient - 1 : quotient)
    }

    /// How many units of `1/scale` cover this, rounded towards positive infinity.
    ///
    /// - Parameter scale: The denominator, above zero.
    /// - Returns: How many, as near as 64 bits allow.
    public func ceiled(scale: Int64 = 1) -> Int64 {
        let product = Int128(numerator) * Int128(scale)
        let quotient = product / Int128(denominator)
        return Int64(clamping: product % Int128(denominator) > 0 ? quotient + 1 : quotient)
    }

    private static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a == 0 ? 1 : a
    }
}

extension Rational: Comparable {
    /// Whether a number is less than another.
    ///
    /// - Parameters:
    ///   - left: One.
    ///   - right: The other.
    /// - Returns: Whether it is.
    public static func < (left: Rational, right: Rational) -> Bool {
        Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
    }
}

extension Rational {
    /// The sum.
    ///
    /// - Parameters:
    ///   - left: One.
    ///   - right: The other.
    /// - Returns: The sum.
    public static func + (left: Rational, right: Rational) -> Rational {
        Rational(
            wide: Int128(left.numerator) * Int128(right.denominator)
                + Int128(right.numerator) * Int128(left.denominator),
            Int128(left.denominator) * Int128(right.denominator)
        )
    }

    /// The same number with the other sign.
    ///
    /// - Parameter value: The number.
    /// - Returns: That number.
    public static prefix func - (value: Rational) -> Rational {
        Rational(wide: -Int128(value.numerator), Int128(value.denominator))
    }

    /// The difference.
    ///
    /// - Parameters:
    ///   - left: One.
    ///   - right: The other.
    /// - Returns: What is left.
    public static func - (left: Rational, right: Rational) -> Rational { left + (-right) }

    /// The product.
    ///
    /// - Parameters:
    ///   - left: One.
    ///   - right: The other.
    /// - Returns: The product.
    public static func * (left: Rational, right: Rational) -> Rational {
        Rational(
            wide: Int128(left.numerator) * Int128(right.numerator),
            Int128(left.denominator) * Int128(right.denominator)
        )
    }

    /// The quotient.
    ///
    /// - Precondition: The divisor is not zero.
    /// - Parameters:
    ///   - left: One.
    ///   - right: The other.
    /// - Returns: The quotient.
    public static func / (left: Rational, right: Rational) -> Rational {
        Rational(
            wide: Int128(left.numerator) * Int128(right.denominator),
            Int128(left.denominator) * Int128(right.numerator)
        )
    }

    /// Adds a number.
    ///
    /// - Parameters:
    ///   - left: One.
    ///   - right: The other.
    public static func += (left: inout Rational, right: Rational) { left = left + right }

    /// Takes a number away.
    ///
    /// - Parameters:
    ///   - left: One.
    ///   - right: The other.
    public static func -= (left: inout Rational, right: Rational) { left = left - right }
}

extension Rational: ExpressibleByIntegerLiteral {
    /// A whole number.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int64) { self.init(value) }
}

extension Rational: CustomStringConvertible {
    /// The fraction, such as `1001/30000`, or the whole number.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension Int64 {
    /// The whole number towards zero of one that was reckoned, the nearest that there is; zero for what is no number.
    package init(reckoned number: Double) {
        self = Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
