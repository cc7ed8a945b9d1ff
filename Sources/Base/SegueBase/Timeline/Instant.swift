/// A point on a run's timeline, in nanoseconds since the run began.
///
/// The type is public because the compiler inlines only public code across modules, and instants are used with every
/// packet.
@frozen public struct Instant: Sendable, Hashable, Comparable {
    /// Nanoseconds since the run began; never negative in a log.
    public let nanoseconds: Int64

    /// The beginning of the run.
    @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }

    /// Creates an instant from nanoseconds since the run began.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates the nearest instant to a number of seconds since the run began.
    package init(seconds: Double) { nanoseconds = Int64(reckoned: (seconds * 1e9).rounded()) }

    /// Seconds since the run began, for display and estimates.
    @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Returns whether the left instant is before the right one.
    @inlinable public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns a later instant, saturating at the maximum.
    @inlinable public static func + (left: Instant, right: Duration) -> Instant {
        let step = right.wholeNanoseconds
        let (sum, isTooLarge) = left.nanoseconds.addingReportingOverflow(step)
        return Instant(nanoseconds: isTooLarge ? (step > 0 ? .max : .min) : sum)
    }

    /// Returns the time between two instants, saturating at the maximum.
    @inlinable public static func - (left: Instant, right: Instant) -> Duration {
        let (difference, isTooLarge) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return .nanoseconds(isTooLarge ? (right.nanoseconds < 0 ? .max : .min) : difference)
    }
}

extension Duration {
    /// The whole nanoseconds in this duration, rounded toward zero and limited to 292 years.
    @inlinable public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isStillTooLarge) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge || isStillTooLarge ? (seconds > 0 ? .max : .min) : sum
    }

    /// The duration in seconds, for display and estimates.
    package var seconds: Double { Double(wholeNanoseconds) / 1e9 }

    /// The longest duration in calculations: a century in nanoseconds, several of which fit an instant.
    private static let century = 3.15576e18

    /// Creates a duration from a calculated number of nanoseconds, limited to a century; NaN becomes zero.
    package init(reckonedNanoseconds number: Double) {
        let bounded = number.isNaN ? 0 : min(max(number, -Duration.century), Duration.century)
        self = .nanoseconds(Int64(bounded))
    }

    /// Creates a duration from an exact media time, to the nearest nanosecond.
    package init(_ time: Rational) { self = .nanoseconds(time.rounded(scale: 1_000_000_000)) }
}
