internal import SegueBase

/// A moment of a channel: microseconds since the beginning of 1970, in UTC.
package struct ChannelTime: Sendable, Hashable, Comparable {
    /// Microseconds since the beginning of 1970.
    package let microseconds: Int64

    /// The beginning of 1970, a midnight in UTC: by it all servers count alike.
    package static let epoch = ChannelTime(microseconds: 0)

    /// The moment so many microseconds after the beginning of 1970; those before it, and after some 280,000 years, are
    /// the nearest that there are.
    package init(microseconds: Int64) { self.microseconds = min(max(0, microseconds), 8_800_000_000_000_000_000) }

    /// The moment so many milliseconds after the beginning of 1970.
    package init(milliseconds: Int64) {
        let (product, isTooLarge) = milliseconds.multipliedReportingOverflow(by: 1000)
        self.init(microseconds: isTooLarge ? .max : product)
    }

    /// The milliseconds since the beginning of 1970 after which it is past.
    package var milliseconds: Int64 { (microseconds + 999) / 1000 }

    /// The number of its day since 1970.
    package var day: Int64 { microseconds / 86_400_000_000 }

    /// The moment as ISO 8601 writes it, to the millisecond; the rest is left out.
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
