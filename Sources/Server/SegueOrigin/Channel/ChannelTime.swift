internal import SegueBase

/// A time of a channel in UTC, in microseconds since 1970.
package struct ChannelTime: Sendable, Hashable, Comparable {
    package let microseconds: Int64

    /// The common start time of channels on all servers, a midnight in UTC.
    package static let epoch = ChannelTime(microseconds: 0)

    /// Creates a time, clamped to 1970 … about 280,000 years later.
    package init(microseconds: Int64) { self.microseconds = min(max(0, microseconds), 8_800_000_000_000_000_000) }

    package init(milliseconds: Int64) {
        let (product, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1000)
        self.init(microseconds: isTooLarge ? .max : product)
    }

    /// The milliseconds since 1970, rounded up.
    package var milliseconds: Int64 { (microseconds + 999) / 1000 }

    /// The number of days since 1970.
    package var day: Int64 { microseconds / 86_400_000_000 }

    /// The time in ISO 8601, truncated to milliseconds.
    package var text: String {
        ISO8601Time.text(milliseconds: microseconds / 1000)
    }

    package static func < (one: ChannelTime, other: ChannelTime) -> Bool { one.microseconds < other.microseconds }
    package static func + (time: ChannelTime, microseconds: Int64) -> ChannelTime {
        ChannelTime(microseconds: time.microseconds + microseconds)
    }
    package static func - (time: ChannelTime, microseconds: Int64) -> ChannelTime {
        ChannelTime(microseconds: time.microseconds - microseconds)
    }
}
