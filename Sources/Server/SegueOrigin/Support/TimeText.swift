import Foundation

/// Times as JSON has them: ISO 8601 in UTC, to the millisecond.
package enum TimeText {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The time, in milliseconds since 1970.
    package static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    /// A time in nanoseconds since 1970 as text.
    static func iso8601(nanoseconds: Int64) -> String { iso8601(milliseconds: nanoseconds / 1_000_000) }

    /// A time in milliseconds since 1970 as text.
    static func iso8601(milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(style)
    }

    /// The milliseconds since 1970 of a time as text, with fractions of seconds or without; nil where it is none.
    static func milliseconds(_ text: String) -> Int64? {
        let date = (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
        guard let date else { return nil }
        return Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
    }
}
