/// So much at a time on average, and so much at once (a token bucket, kept as the time at which it is full again).
struct Pace: Sendable, Equatable {
    typealias Instant = ContinuousClock.Instant

    /// When all that was taken is made up for.
    private(set) var settled: Instant

    /// One from which nothing was taken.
    init(now: Instant) { settled = now }

    /// Takes one where there is one.
    ///
    /// - Parameters:
    ///   - interval: How long one takes to come back.
    ///   - burst: How many there are at once; at least 1.
    ///   - now: The time.
    /// - Returns: Nil where there was one; else how long it is until there is.
    mutating func take(every interval: Duration, burst: Int, now: Instant) -> Duration? {
        let next = max(settled, now) + interval
        let over = (next - now) - interval * max(1, burst)
        guard over <= .zero else { return over }
        settled = next
        return nil
    }

    /// Takes a place in a line that moves by one each interval.
    ///
    /// - Returns: How long it is until that place has its turn, at most so long: who comes when the line is longer waits as
    ///   long as the last.
    mutating func line(up interval: Duration, most: Duration, now: Instant) -> Duration {
        settled = min(max(settled, now) + interval, now + most)
        return settled - now
    }
}
