internal import Foundation
internal import SegueBase

/// Times in JSON: ISO 8601 in UTC, with milliseconds.
package enum TimeText {
    /// The current time in milliseconds since 1970.
    package static func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    static func iso8601(nanoseconds: Int64) -> String { iso8601(milliseconds: nanoseconds / 1_000_000) }

    static func iso8601(milliseconds: Int64) -> String { ISO8601Time.text(milliseconds: milliseconds) }

    /// Parses a time with a zone into milliseconds since 1970; nil if it is malformed.
    static func milliseconds(_ text: String) -> Int64? {
        ISO8601Time(text).flatMap { $0.hasZone ? $0.milliseconds : nil }
    }
}
