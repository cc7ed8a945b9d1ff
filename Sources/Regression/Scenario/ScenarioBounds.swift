import Timeline

extension Scenario {
    /// The rates at which a step may let a player play; 0 pauses it.
    static let rates = 0.01...100.0

    /// The longest that one wait may take, in seconds: eleven days.
    static let longestWait = 1e6

    /// The longest that a run may take in its own time: thirty years, so that every instant of it can be reckoned with.
    static let longestRun = Duration.seconds(1_000_000_000)
}
