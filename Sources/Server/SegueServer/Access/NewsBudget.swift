/// A bound on the reports of refused attempts, which attackers could otherwise use to fill a disk.
struct NewsBudget {
    /// The number of reports in a burst, and per second afterwards.
    static let (burst, rate) = (50.0, 1.0)

    private var left = burst
    private var last = 0.0
    private var omitted = 0

    /// Takes a report.
    ///
    /// - Parameter now: A monotonic time in seconds.
    /// - Returns: The number of reports that were omitted before this one; nil if this one is omitted, too.
    mutating func take(at now: Double) -> Int? {
        left = min(Self.burst, left + max(0, now - last) * Self.rate)
        last = now
        guard left >= 1 else {
            omitted += 1
            return nil
        }
        left -= 1
        defer { omitted = 0 }
        return omitted
    }
}
