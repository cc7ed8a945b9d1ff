internal import Glibc

/// Takes the time of one case after the other, of all that this process does.
struct CaseClock {
    private var began = Self.now
    private var used = Self.used

    /// The cost of what was done since the last lap.
    mutating func lap() -> CaseCost {
        let (now, used) = (Self.now, Self.used)
        defer { (began, self.used) = (now, used) }
        return CaseCost(
            began: Self.rounded(began.date),
            wallSeconds: Self.rounded(now.steady - began.steady),
            processorSeconds: Self.rounded(used - self.used)
        )
    }

    /// To the microsecond, which is as exact as it gets.
    private static func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

    /// Now: since 1970, and on a clock that nobody sets.
    private static var now: (date: Double, steady: Double) { (seconds(CLOCK_REALTIME), seconds(CLOCK_MONOTONIC)) }

    /// The processor time of all threads of this process.
    private static var used: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
