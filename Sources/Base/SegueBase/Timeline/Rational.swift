/// An exact fraction of 64-bit integers in lowest terms, with a positive denominator.
///
/// Media times are rationals throughout (seconds as a fraction of a time scale). They are rounded only for display or
/// for the time scale of a container.
public struct Rational: Sendable, Hashable {
    /// The numerator, including the sign.
    public let numerator: Int64

    /// The denominator, at least 1.
    public let denominator: Int64

    /// Zero, as 0/1.
    public static let zero = Rational(0)

    /// Creates a whole number, as a fraction with the denominator 1.
    public init(_ whole: Int64) {
        numerator = whole
        denominator = 1
    }

    /// Creates a fraction in lowest terms.
    ///
    /// - Parameters:
    ///   - numerator: The numerator before reduction, including the sign.
    ///   - denominator: The denominator before reduction; a negative one changes the sign.
    /// - Precondition: The denominator is not zero, and the reduced parts fit 64 bits.
    public init(_ numerator: Int64, _ denominator: Int64) {
        self.init(wide: Int128(numerator), Int128(denominator))
    }

    /// Creates a fraction from wide integers; if the reduced parts do not fit 64 bits, the nearest nanosecond fraction,
    /// and otherwise the nearest whole number.
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
        // The digits lost to the shift are less than a nanosecond.
        let shift = rest.magnitude.leadingZeroBitCount > 31 ? 0 : 32
        let fraction = (rest >> shift) * scale / (denominator >> shift)
        return (Int64(clamping: whole * scale + fraction), Int64(scale))
    }

    /// Creates the nearest fraction with the given denominator to a number of seconds; zero for NaN.
    ///
    /// - Parameters:
    ///   - seconds: The number of seconds.
    ///   - scale: The denominator, above zero.
    public init(seconds: Double, scale: Int64 = 1_000_000) {
        self.init(Int64(reckoned: (seconds * Double(scale)).rounded()), scale)
    }

    /// The value as a floating-point number, for display and estimates only.
    public var seconds: Double { Double(numerator) / Double(denominator) }

    /// Returns the number of units of `1/scale`, rounded half away from zero.
    ///
    /// - Parameter scale: The denominator, above zero.
    /// - Returns: The number of units, limited to 64 bits.
    public func rounded(scale: Int64) -> Int64 {
        let product = Int128(numerator) * Int128(scale)
        let half = Int128(denominator) / 2
        let magnitude = (Int128(product.magnitude) + half) / Int128(denominator)
        return Int64(clamping: product < 0 ? -magnitude : magnitude)
    }

    /// Returns the number of units of `1/scale`, rounded toward negative infinity.
    ///
    /// - Parameter scale: The denominator, above zero.
    /// - Returns: The number of units, limited to 64 bits.
    public func floored(scale: Int64 = 1) -> Int64 {
        let product = Int128(numerator) * Int128(scale)
        let quotient = product / Int128(denominator)
        return Int64(clamping: product % Int128(denominator) < 0 ? quotient - 1 : quotient)
    }

    /// Returns the number of units of `1/scale`, rounded toward positive infinity.
    ///
    /// - Parameter scale: The denominator, above zero.
    /// - Returns: The number of units, limited to 64 bits.
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
    /// Returns whether the left number is less than the right one.
    public static func < (left: Rational, right: Rational) -> Bool {
        Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
    }
}

extension Rational {
    /// Returns the sum.
    public static func + (left: Rational, right: Rational) -> Rational {
        Rational(
            wide: Int128(left.numerator) * Int128(right.denominator)
                + Int128(right.numerator) * Int128(left.denominator),
            Int128(left.denominator) * Int128(right.denominator)
        )
    }

    /// Returns the negated number.
    public static prefix func - (value: Rational) -> Rational {
        Rational(wide: -Int128(value.numerator), Int128(value.denominator))
    }

    /// Returns the difference.
    public static func - (left: Rational, right: Rational) -> Rational { left + (-right) }

    /// Returns the product.
    public static func * (left: Rational, right: Rational) -> Rational {
        Rational(
            wide: Int128(left.numerator) * Int128(right.numerator),
            Int128(left.denominator) * Int128(right.denominator)
        )
    }

    /// Returns the quotient; the divisor must not be zero.
    public static func / (left: Rational, right: Rational) -> Rational {
        Rational(
            wide: Int128(left.numerator) * Int128(right.denominator),
            Int128(left.denominator) * Int128(right.numerator)
        )
    }

    /// Adds the right number to the left one.
    public static func += (left: inout Rational, right: Rational) { left = left + right }

    /// Subtracts the right number from the left one.
    public static func -= (left: inout Rational, right: Rational) { left = left - right }
}

extension Rational: ExpressibleByIntegerLiteral {
    /// Creates a whole number from a literal.
    public init(integerLiteral value: Int64) { self.init(value) }
}

extension Rational: CustomStringConvertible {
    /// The fraction, such as `1001/30000`, or the whole number.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension Int64 {
    /// Creates the integer of a calculated number, rounded toward zero and saturating; NaN becomes zero.
    package init(reckoned number: Double) {
        self = Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
