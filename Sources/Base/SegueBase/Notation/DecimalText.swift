/// Decimal numbers in logs, playlists, and messages.
package enum DecimalText {
    /// Returns a number with at most `places` decimals and without trailing zeros.
    ///
    /// - Parameters:
    ///   - value: The number; from 9,000,000,000,000 on, Swift's own format applies.
    ///   - places: The number of decimals, from 0 to 6.
    /// - Returns: The text; `inf`, `-inf`, or `nan` for values that are not finite.
    package static func short(_ value: Double, places: Int = 6) -> String {
        guard value.isFinite, value.magnitude < 9e12 else { return "\(value)" }
        return short(units: Int64((value * Double(power(places))).rounded()), places: places)
    }

    /// Returns a number of tenths, hundredths, and so on, without trailing zeros.
    ///
    /// - Parameters:
    ///   - units: The number of units.
    ///   - places: The number of decimals of one unit, from 0 to 9.
    /// - Returns: The text.
    package static func short(units: Int64, places: Int) -> String {
        var text = fixed(units: units, places: places)[...]
        guard places > 0 else { return String(text) }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return String(text)
    }

    /// Returns a number with exactly `places` decimals.
    ///
    /// - Parameters:
    ///   - value: The number, as in ``short(_:places:)``.
    ///   - places: The number of decimals, from 0 to 6.
    /// - Returns: The text.
    package static func fixed(_ value: Double, places: Int) -> String {
        guard value.isFinite, value.magnitude < 9e12 else { return "\(value)" }
        return fixed(units: Int64((value * Double(power(places))).rounded()), places: places)
    }

    /// Returns a number of tenths, hundredths, and so on, with all its decimals.
    ///
    /// - Parameters:
    ///   - units: The number of units.
    ///   - places: The number of decimals of one unit, from 0 to 9.
    /// - Returns: The text.
    package static func fixed(units: Int64, places: Int) -> String {
        let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt64(power(places)))
        let sign = units < 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        let digits = String(rest)
        return "\(sign)\(whole)." + String(repeating: "0", count: places - digits.count) + digits
    }

    private static func power(_ places: Int) -> Int64 { (0..<places).reduce(1) { power, _ in power * 10 } }
}
