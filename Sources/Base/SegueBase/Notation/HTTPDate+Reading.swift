extension HTTPDate {
    /// Reads a time in whole seconds since 1970; nil for any other text.
    ///
    /// All three forms are accepted that a server must accept (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37
    /// GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, and `Sun Nov  6 08:49:37 1994`.
    package static func secondsSince1970(_ text: String) -> Int64? {
        let words = text.split(separator: " ").flatMap { $0.split(separator: "-", omittingEmptySubsequences: false) }
        switch words.count {
        case 6 where words[5] == "GMT" && words[0].hasSuffix(","):
            return seconds(day: words[1], month: words[2], year: words[3], clock: words[4])
        case 5:
            return seconds(day: words[2], month: words[1], year: words[4], clock: words[3])
        default: return nil
        }
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func seconds(day: Substring, month: Substring, year: Substring, clock: Substring) -> Int64? {
        let times = clock.split(separator: ":", omittingEmptySubsequences: false).compactMap(number)
        guard let day = number(day), let month = months.firstIndex(of: String(month)), var years = number(year),
            times.count == 3, (1...31).contains(day), times[0] < 24, times[1] < 60, times[2] <= 60
        else { return nil }
        // Two-digit years are in 1970 to 2069.
        if year.utf8.count == 2 { years += years < 70 ? 2000 : 1900 }
        let number = CalendarDay(year: years, month: Int64(month) + 1, day: day).number
        return number * 86_400 + times[0] * 3600 + times[1] * 60 + times[2]
    }

    /// A number with at most four digits.
    private static func number(_ text: Substring) -> Int64? {
        (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
    }
}
