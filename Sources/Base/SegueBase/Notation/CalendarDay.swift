/// A day of the Gregorian calendar, as data files write it: `2026-11-22`.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Days since 1 January 1970.
    package let number: Int64

    /// The expected form, for messages.
    package static let shape = "a day such as 2026-11-22"

    package init(number: Int64) { self.number = number }

    /// The day in UTC of a moment in whole seconds since 1970.
    package init(secondsSince1970 seconds: Int64) { number = seconds.floorDivided(by: 86_400) }

    /// Reads a day; nil for a text that is not a day from year 1 to 9999.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy({ (48...57).contains($0) }) else { return nil }
        let values = parts.compactMap { Int64(Substring($0)) }
        guard values[0] > 0, (1...12).contains(values[1]), (1...31).contains(values[2]) else { return nil }
        self.init(year: values[0], month: values[1], day: values[2])
        // A day such as 30 February is normalized, so its text differs.
        guard description == text else { return nil }
    }

    /// Creates a day from its parts; excess days continue into the next month.
    ///
    /// Howard Hinnant's `days_from_civil`: years begin in March, so that the leap day is the last of a year.
    init(year: Int64, month: Int64, day: Int64) {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.floorDivided(by: 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Year, month, and day, by Howard Hinnant's `civil_from_days`.
    var parts: (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    package var description: String {
        let (year, month, day) = parts
        return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }

    package static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }
}

extension CalendarDay: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        guard let day = CalendarDay(try value.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: value, debugDescription: "must be \(CalendarDay.shape)")
        }
        self = day
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}

extension Int64 {
    /// The quotient, rounded toward negative infinity.
    func floorDivided(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// The number, padded with leading zeros.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
