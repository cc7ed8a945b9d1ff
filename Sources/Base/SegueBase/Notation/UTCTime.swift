/// A moment in UTC with a resolution of a second, in the format of RFC 3339: `2026-11-22T16:04:55Z`.
package struct UTCTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let secondsSince1970: Int64

    package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// Reads a moment in exactly this form; nil for any other text.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "Z"),
            let time = ISO8601Time(text), time.fractionDigits == 0
        else { return nil }
        secondsSince1970 = time.seconds
    }

    package var day: CalendarDay { CalendarDay(secondsSince1970: secondsSince1970) }

    /// Hours, minutes, and seconds, such as `16:04:55`.
    package var clock: String {
        let second = secondsSince1970 - day.number * 86_400
        return [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    }

    package var description: String { "\(day)T\(clock)Z" }

    /// The day, hour, and minute, such as `2026-11-22 16:04`.
    package var short: String { "\(day) \(clock.prefix(5))" }

    package static func < (one: UTCTime, other: UTCTime) -> Bool { one.secondsSince1970 < other.secondsSince1970 }
}
