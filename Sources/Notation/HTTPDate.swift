/// Times as HTTP writes them: `Sat, 21 Nov 2026 03:08:09 GMT` (RFC 9110, section 5.6.7).
package enum HTTPDate {
    /// The text of a time given in whole seconds since 1970.
    package static func text(secondsSince1970 seconds: Int64) -> String {
        let day = seconds.floorDivided(by: 86_400)
        let second = seconds - day * 86_400
        let (year, month, date) = civil(day)
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(day - day.floorDivided(by: 7) * 7)]
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, to: 2) }.joined(separator: ":")
        return "\(weekday), \(padded(date, to: 2)) \(names[Int(month) - 1]) \(padded(year, to: 4)) \(clock) GMT"
    }

    /// Year, month and day of a day counted from 1 January 1970, in the Gregorian calendar.
    ///
    /// Howard Hinnant's `civil_from_days`: years begin in March, so that the leap day is a year's last.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    /// The quotient, rounded towards negative infinity.
    fileprivate func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
