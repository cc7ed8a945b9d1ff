/// A point on a run's timeline: nanoseconds since the run began.
///
/// Public, with all that is asked of it with every packet, since the compiler inlines across modules only what is.
@frozen public struct Instant: Sendable, Hashable, Comparable {
    /// Nanoseconds since the run began; never negative in a log.
    public let nanoseconds: Int64

    /// The beginning of the run.
    @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }

    /// An instant at a number of nanoseconds since the run began.
    @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The nearest instant to a number of seconds since the run began.
    package init(seconds: Double) { nanoseconds = Int64(reckoned: (seconds * 1e9).rounded()) }

    /// Seconds since the run began, for display and estimates.
    @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// Whether the first comes before the second.
    @inlinable public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// An instant so much later, or the last that there is.
    @inlinable public static func + (left: Instant, right: Duration) -> Instant {
        let step = right.wholeNanoseconds
        let (sum, isTooLarge) = left.nanoseconds.addingReportingOverflow(step)
        return Instant(nanoseconds: isTooLarge ? (step > 0 ? .max : .min) : sum)
    }

    /// How long after the second the first is, or the longest that there is.
    @inlinable public static func - (left: Instant, right: Instant) -> Duration {
        let (difference, isTooLarge) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
        return .nanoseconds(isTooLarge ? (right.nanoseconds < 0 ? .max : .min) : difference)
    }
}

extension Duration {
    /// The whole nanoseconds in this duration, rounded towards zero; 292 years either way at the most.
    @inlinable public var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isStillTooLarge) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooLarge || isStillTooLarge ? (seconds > 0 ? .max : .min) : sum
    }

    /// The duration in seconds, for display and estimates.
    package var seconds: Double { Double(wholeNanoseconds) / 1e9 }

    /// The longest duration that is reckoned with: a century in nanoseconds, of which an instant can take several.
    private static let century = 3.15576e18

    /// A number of whole nanoseconds that was reckoned, a century either way at the most; zero for what is no number.
    package init(reckonedNanoseconds number: Double) {
        let bounded = number.isNaN ? 0 : min(max(number, -Duration.century), Duration.century)
        self = .nanoseconds(Int64(bounded))
    }

    /// The duration of an exact media time, to the nearest nanosecond.
    package init(_ time: Rational) { self = .nanoseconds(time.rounded(scale: 1_000_000_000)) }
}
