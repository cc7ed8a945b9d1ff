internal import SegueBase

/// Dates of `EXT-X-PROGRAM-DATE-TIME` (ISO 8601).
public enum ProgramDate {
    /// Returns the seconds since 1970 of a date such as `2024-05-06T07:08:09.123Z`, `…+0200`, or `…+02:00`.
    ///
    /// - Parameter text: The date; UTC if it has no zone.
    /// - Returns: The seconds, including the fraction; nil for any other text.
    public static func seconds(_ text: String) -> Double? { ISO8601Time(text)?.secondsSince1970 }
}
