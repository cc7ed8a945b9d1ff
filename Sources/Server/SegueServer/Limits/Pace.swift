/// A token bucket, stored as the time at which it is full again.
struct Pace: Sendable, Equatable {
    typealias Instant = ContinuousClock.Instant

    /// The time at which the bucket is full.
    private(set) var settled: Instant

    init(now: Instant) { settled = now }

    /// Takes a token if there is one.
    ///
    /// - Parameters:
    ///   - interval: The time in which a token returns.
    ///   - burst: The capacity; at least 1.
    /// - Returns: Nil if there was a token, otherwise the time until there is one.
    mutating func take(every interval: Duration, burst: Int, now: Instant) -> Duration? {
        let next = max(settled, now) + interval
        let over = (next - now) - interval * max(1, burst)
        guard over <= .zero else { return over }
        settled = next
        return nil
    }

    /// Joins a queue that moves by one each interval.
    ///
    /// - Returns: The time until its turn, at most `most`: a queue does not grow beyond that.
    mutating func line(up interval: Duration, most: Duration, now: Instant) -> Duration {
        settled = min(max(settled, now) + interval, now + most)
        return settled - now
    }
}
