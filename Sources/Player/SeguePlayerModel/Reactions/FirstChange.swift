internal import SegueBase

/// When something that is so now will not be so any more, or the other way round.
enum FirstChange {
    /// How many stretches are looked at: many times more than a number that reaches another one takes.
    private static let most = 600

    /// How long is waited where that does not find it, as with numbers that hardly differ all the time.
    private static let pause = Duration.milliseconds(100)

    /// The first instant after another one at which something changes, to the nanosecond.
    ///
    /// - Parameters:
    ///   - now: The instant after which it is looked for.
    ///   - end: Up to where what is said of the future holds; whoever asks looks again then.
    ///   - isSo: Whether it is so now.
    ///   - told: Whether it is so from one instant to another, both included; nil where that cannot be told, never of one
    ///     instant alone.
    /// - Returns: The instant, or an earlier one at which to look again; nil where nothing changes before the end.
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
