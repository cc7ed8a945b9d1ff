/// Numbers in decimal, as logs, playlists and messages have them.
package enum DecimalText {
    /// A number with so many decimals at the most and no needless zeros.
    ///
    /// - Parameters:
    ///   - value: The number; one of 9 000 000 000 000 or more is written as Swift does.
    ///   - places: How many decimals, from 0 to 6.
    /// - Returns: The text; `inf`, `-inf` or `nan` for what is no number.
    package static func short(_ value: Double, places: Int = 6) -> String {
        guard value.isFinite, value.magnitude < 9e12 else { return "\(value)" }
        return short(units: Int64((value * Double(power(places))).rounded()), places: places)
    }

    /// A number of tenths, hundredths and so on, without needless zeros.
    ///
    /// - Parameters:
    ///   - units: How many of them.
    ///   - places: How many decimals one of them has, from 0 to 9.
    /// - Returns: The text.
    package static func short(units: Int64, places: Int) -> String {
        var text = fixed(units: units, places: places)[...]
        guard places > 0 else { return String(text) }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return String(text)
    }

    /// A number with all of so many decimals.
    ///
    /// - Parameters:
    ///   - value: The number, as for ``short(_:places:)``.
    ///   - places: How many decimals, from 0 to 6.
    /// - Returns: The text.
    package static func fixed(_ value: Double, places: Int) -> String {
        guard value.isFinite, value.magnitude < 9e12 else { return "\(value)" }
        return fixed(units: Int64((value * Double(power(places))).rounded()), places: places)
    }

    /// A number of tenths, hundredths and so on, with all its decimals.
    ///
    /// - Parameters:
    ///   - units: How many of them.
    ///   - places: How many decimals one of them has, from 0 to 9.
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
