/// How far the sound that is made may be ahead of the time that passes.
struct RadioPace: Sendable {
    /// How much is made at once at the beginning, so that players have something to begin with.
    static let lead = Duration.seconds(6)

    /// How long to wait before more is made.
    ///
    /// - Parameters:
    ///   - made: How much sound has been made.
    ///   - elapsed: How long that took.
    /// - Returns: The wait; zero or less where it is high time.
    static func wait(made: Duration, elapsed: Duration) -> Duration { made - lead - elapsed }
}
