import SegueBase

extension Scenario {
    /// The maximum duration of a run in its own time: about 30 years, so that arithmetic on instants cannot overflow.
    static let longestRun = Duration.seconds(1_000_000_000)
}
