import SegueBase

extension Scenario {
    /// The longest that a run may take in its own time: thirty years, so that every instant of it can be reckoned with.
    static let longestRun = Duration.seconds(1_000_000_000)
}
