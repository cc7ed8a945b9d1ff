internal import SegueBase

/// A search for the first instant at which a truth value changes.
enum FirstChange {
    /// The maximum number of spans, far above the number needed for one number to reach another.
    private static let most = 600

    /// The delay before another search if none is found, for example for numbers that stay nearly equal.
    private static let pause = Duration.milliseconds(100)

    /// Returns the first instant of a change, to the nanosecond, or an earlier instant at which to search again; nil if
    /// nothing changes before the end.
    ///
    /// - Parameters:
    ///   - now: The instant after which the search begins.
    ///   - end: The end of the predicted time, at which the caller searches again.
    ///   - told: Returns the value between two instants, inclusive; nil if it is undecided, never for a single instant.
    /// - Returns: The instant; nil for none.
    static func instant(
        after now: Instant,
        before end: Instant,
        from isSo: Bool,
        _ told: (Instant, Instant) -> Bool?
    ) -> Instant? {
        guard end.nanoseconds - now.nanoseconds > 1 else { return nil }
        var stretches = [(first: now.nanoseconds + 1, last: end.nanoseconds - 1)]
        var count = 0
        while let stretch = stretches.popLast() {
            let first = Instant(nanoseconds: stretch.first)
            count += 1
            guard count <= most else { return max(first, now + pause) }
            switch told(first, Instant(nanoseconds: stretch.last)) {
            case isSo?: continue
            case _?: return first
            case nil:
                let middle = stretch.first + (stretch.last - stretch.first) / 2
                if stretch.first < stretch.last { stretches.append((middle + 1, stretch.last)) }
                stretches.append((stretch.first, middle))
            }
        }
        return nil
    }
}
