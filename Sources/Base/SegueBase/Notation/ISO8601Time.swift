/// A date and time in ISO 8601's calendar format, such as `2026-11-22T16:04:55.250+01:00`.
///
/// The hyphens and colons may be missing, as may the seconds, the minutes, and the zone. A time without a zone is UTC.
package struct ISO8601Time: Sendable, Hashable {
    /// Whole seconds since 1970 in UTC, rounded down.
    package let seconds: Int64

    /// The fraction on top of ``seconds``, in picoseconds; further digits are dropped.
    package let picoseconds: Int64

    /// The number of digits in the fraction as written.
    package let fractionDigits: Int

    package let hasZone: Bool

    private static let picosecondsPerSecond: Int64 = 1_000_000_000_000
    private static let significantDigits = 12
    /// The maximum length of a text, in bytes.
    private static let maximumLength = 100

    /// Reads a date and time; nil for a text in another form or a day that is not in the calendar.
    ///
    /// `24:00:00` is the end of a day. Second 60 is a leap second and equals the first second after it.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var reader = Reader(bytes: Array(text.utf8))
        guard let day = reader.day(), reader.skip("T"), let clock = reader.clock(),
            let fraction = reader.fraction(after: clock.parts), let zone = reader.zone(), reader.isAtEnd,
            clock.hour < 24 || clock.second == 86_400 && fraction.picoseconds == 0
        else { return nil }
        seconds = day.number * 86_400 + clock.second - (zone.offset ?? 0)
        (picoseconds, fractionDigits) = fraction
        hasZone = zone.offset != nil
    }

    /// The time in seconds since 1970.
    package var secondsSince1970: Double {
        Double(seconds) + Double(picoseconds) / Double(Self.picosecondsPerSecond)
    }

    /// The time in seconds since 1970, exactly.
    package var exactSeconds: Rational { Rational(seconds) + Rational(picoseconds, Self.picosecondsPerSecond) }

    /// The time in milliseconds since 1970, rounded to the nearest one.
    package var milliseconds: Int64 { seconds * 1000 + (picoseconds + 500_000_000) / 1_000_000_000 }

    /// The time in UTC with milliseconds, such as `2026-11-22T16:04:55.250Z`.
    package static func text(milliseconds: Int64) -> String {
        let seconds = milliseconds.floorDivided(by: 1000)
        let remainder = milliseconds % 1000
        let fraction = (remainder < 0 ? remainder + 1000 : remainder).padded(to: 3)
        return "\(UTCTime(secondsSince1970: seconds).description.dropLast()).\(fraction)Z"
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        mutating func number(digits: Int) -> Int64? {
            let piece = bytes[position...].prefix(digits)
            guard piece.count == digits, piece.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            position += digits
            return piece.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }

        /// Reads two digits, optionally after a separator; nil leaves the position unchanged.
        private mutating func pair(after separator: Unicode.Scalar) -> Int64? {
            let start = position
            _ = skip(separator)
            guard let number = number(digits: 2) else {
                position = start
                return nil
            }
            return number
        }

        mutating func day() -> CalendarDay? {
            guard let year = number(digits: 4), let month = pair(after: "-"), let day = pair(after: "-") else {
                return nil
            }
            return CalendarDay("\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))")
        }

        /// The hour, the second of the day, and the number of parts that were written.
        mutating func clock() -> (hour: Int64, second: Int64, parts: Int)? {
            guard let hour = number(digits: 2), hour <= 24 else { return nil }
            guard let minute = pair(after: ":") else { return (hour, hour * 3600, 1) }
            guard minute < 60 else { return nil }
            guard let second = pair(after: ":") else { return (hour, hour * 3600 + minute * 60, 2) }
            guard second <= 60 else { return nil }
            return (hour, hour * 3600 + minute * 60 + second, 3)
        }

        /// Reads an optional fraction after the seconds; nil for a malformed or misplaced one.
        mutating func fraction(after parts: Int) -> (picoseconds: Int64, digits: Int)? {
            guard skip(".") || skip(",") else { return (0, 0) }
            let digits = bytes[position...].prefix { (0x30...0x39).contains($0) }
            guard parts == 3, !digits.isEmpty else { return nil }
            position += digits.count
            let significant = digits.prefix(ISO8601Time.significantDigits)
            let scaled = significant.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
            let missing = ISO8601Time.significantDigits - significant.count
            return ((0..<missing).reduce(scaled) { value, _ in value * 10 }, digits.count)
        }

        struct Zone {
            /// Seconds east of UTC; nil without a zone.
            var offset: Int64?
        }

        /// The zone; nil for a malformed one.
        mutating func zone() -> Zone? {
            if skip("Z") { return Zone(offset: 0) }
            let isEast = skip("+")
            guard isEast || skip("-") else { return Zone() }
            guard let hours = number(digits: 2), hours < 24 else { return nil }
            let minutes = isAtEnd ? 0 : pair(after: ":")
            guard let minutes, minutes < 60 else { return nil }
            let offset = hours * 3600 + minutes * 60
            return Zone(offset: isEast ? offset : -offset)
        }
    }
}
