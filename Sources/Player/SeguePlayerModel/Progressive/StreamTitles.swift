internal import SegueBase

/// Reports the titles of a stream, with a rate limit.
struct StreamTitles: Sendable {
    /// The minimum time between titles.
    private static let pause = Duration.seconds(1)

    private var toldAt: Instant?
    private var waiting: String?

    /// Handles titles that arrived together, and returns the last one if it may be reported now; otherwise, it is
    /// reported with later data.
    mutating func receive(_ titles: [String], at now: Instant) -> String? {
        waiting = titles.last ?? waiting
        if let toldAt, now < toldAt + Self.pause { return nil }
        guard let title = waiting else { return nil }
        (toldAt, waiting) = (now, nil)
        return title
    }
}
