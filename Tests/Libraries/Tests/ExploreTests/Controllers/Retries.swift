/// The pauses before something that has failed is tried again: a second, doubled each time, five times in all.
struct Retries {
    private var count = 0
    private var place = Duration.zero

    /// How long to wait; nil where it has been tried often enough.
    ///
    /// - Parameter place: Where in the title it failed; where that has moved on, it counts from the beginning.
    /// - Returns: The pause.
    mutating func pause(at place: Duration) -> Duration? {
        if place > self.place + .seconds(10) { count = 0 }
        self.place = place
        guard count < 5 else { return nil }
        count += 1
        return .seconds(1 << (count - 1))
    }
}
