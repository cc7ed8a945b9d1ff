/// Dates of `EXT-X-PROGRAM-DATE-TIME` (ISO 8601).
public enum ProgramDate {
    /// Parses a date such as `2024-05-06T07:08:09.123Z`, `…+0200`, or `…+02:00`; nil for other texts.
    ///
    /// - Parameter text: The date as text.
    /// - Returns: The seconds since 1970 with the fraction.
    public static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: "T", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        let date = parts[0].split(separator: "-").map { Int($0) }
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2], (1...9999).contains(year),
            (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let clock = parts[1].prefix { $0.isNumber || $0 == ":" || $0 == "." }
        let time = clock.split(separator: ":").map { Double($0) }
        guard time.count == 3, let hours = time[0], let minutes = time[1], let seconds = time[2],
            let zone = offset(parts[1].dropFirst(clock.count))
        else { return nil }
        return Double(days(year, month, day)) * 86400 + hours * 3600 + minutes * 60 + seconds - zone
    }

    /// Returns the offset from UTC in seconds; 0 for `Z` or none.
    private static func offset(_ zone: Substring) -> Double? {
        guard let sign = zone.first, sign != "Z" else { return 0 }
        let digits = zone.dropFirst().filter(\.isNumber)
        guard sign == "+" || sign == "-", digits.count == 2 || digits.count == 4, let value = Int(digits) else {
            return nil
        }
        let minutes = digits.count == 2 ? value * 60 : value / 100 * 60 + value % 100
        return Double(minutes * 60) * (sign == "-" ? -1 : 1)
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar.
    ///
    /// Years are counted from March, so that leap days come last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
    }
}
