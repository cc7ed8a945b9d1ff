/// The delays before retries of a failure: a second, doubled each time, five times in all.
struct Retries {
    private var count = 0
    private var place = Duration.zero

    /// Returns the next delay; nil after the last retry.
    ///
    /// - Parameter place: The position of the failure. Progress since the last one, or a seek back, restarts the count.
    /// - Returns: The delay.
    mutating func pause(at place: Duration) -> Duration? {
        if place > self.place + .seconds(10) || place < self.place { count = 0 }
        self.place = place
        guard count < 5 else { return nil }
        count += 1
        return .seconds(1 << (count - 1))
    }
}
