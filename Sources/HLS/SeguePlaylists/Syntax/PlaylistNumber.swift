internal import SegueBase

/// Exact and bounded numbers in the form of playlists.
enum PlaylistNumber {
    /// Parses a whole number from 0 to 2^53.
    static func integer(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 16, text.utf8.allSatisfy(isDigit), let number = Int(text),
            number <= 1 << 53
        else { return nil }
        return number
    }

    /// The maximum of times other than segment durations in seconds, 285 years, which fit in a rational of billionths.
    static let mostSeconds: Int64 = 9_000_000_000

    /// Parses a decimal number from 0 to `most`, by default ten million, with nine decimals.
    static func decimal(_ text: Substring, most: Int64 = 10_000_000) -> Rational? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : Substring("").utf8
        guard let first = parts.first, !first.isEmpty || !fraction.isEmpty, first.count <= 10,
            first.allSatisfy(isDigit), fraction.allSatisfy(isDigit)
        else { return nil }
        let whole = first.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        guard whole <= most else { return nil }
        var (numerator, denominator) = (whole, Int64(1))
        for digit in fraction.prefix(9) {
            numerator = numerator * 10 + Int64(digit - UInt8(ascii: "0"))
            denominator *= 10
        }
        return Rational(numerator, denominator)
    }

    /// Parses a signed decimal number.
    static func signedDecimal(_ text: Substring) -> Rational? {
        text.hasPrefix("-") ? decimal(text.dropFirst()).map { -$0 } : decimal(text)
    }

    /// Parses a length with an optional offset, such as `1000@200`.
    static func byteRange(_ text: Substring) -> (length: Int64, offset: Int64?)? {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let length = integer(first), length > 0 else { return nil }
        guard parts.count == 2 else { return (Int64(length), nil) }
        return integer(parts[1]).map { (Int64(length), Int64($0)) }
    }

    /// Returns true for `0x` or `0X` with hexadecimal digits.
    static func isHexadecimal(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count > 2 && (text.hasPrefix("0x") || text.hasPrefix("0X"))
            && bytes.dropFirst(2).allSatisfy { byte in
                isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
            }
    }

    /// Returns true for a decimal number with an optional minus sign, of any size.
    static func isSignedDecimal(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return digits.contains(where: isDigit) && parts.allSatisfy { $0.allSatisfy(isDigit) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
