internal import SegueConcurrency
internal import SegueFFmpeg

/// A stopwatch for the cases of this process.
struct CaseClock {
    private var began = Self.now
    private var used = Self.used

    /// The cost since the last lap.
    mutating func lap() -> CaseCost {
        let (now, used) = (Self.now, Self.used)
        defer { (began, self.used) = (now, used) }
        return CaseCost(
            began: Self.rounded(began.date),
            wallSeconds: Self.rounded(now.steady - began.steady),
            processorSeconds: Self.rounded(used - self.used)
        )
    }

    /// Rounds to microseconds, the precision of the clock.
    private static func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

    /// The time since 1970, and on a monotonic clock.
    private static var now: (date: Double, steady: Double) { (seconds(.date), seconds(.steady)) }

    /// The processor time of all threads of this process.
    private static var used: Double { seconds(.ownProcess) }

    private static func seconds(_ clock: SystemClock) -> Double { Double(clock.nanoseconds ?? 0) / 1e9 }
}
