internal import SegueBase

/// Tells the titles of a stream, but no more than a server in its right mind sends.
struct StreamTitles: Sendable {
    /// How long a title stands at least before another is told.
    private static let pause = Duration.seconds(1)

    private var toldAt: Instant?
    private var waiting: String?

    /// Takes in the titles that came with some bytes.
    ///
    /// - Returns: The title to be told now, the last that came; nil where there is none, or one was told just now. It
    ///   is told with later bytes then.
    mutating func take(_ titles: [String], at now: Instant) -> String? {
        waiting = titles.last ?? waiting
        if let toldAt, now < toldAt + Self.pause { return nil }
        guard let title = waiting else { return nil }
        (toldAt, waiting) = (now, nil)
        return title
    }
}
