import Foundation

/// Times in JSON: ISO 8601 in UTC, with milliseconds.
package enum TimeText {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The current time in milliseconds since 1970.
    package static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    static func iso8601(nanoseconds: Int64) -> String { iso8601(milliseconds: nanoseconds / 1_000_000) }

    static func iso8601(milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(style)
    }

    /// Parses a time with or without fractional seconds into milliseconds since 1970; nil if it is malformed.
    static func milliseconds(_ text: String) -> Int64? {
        let date = (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
        guard let date else { return nil }
        return Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
    }
}
