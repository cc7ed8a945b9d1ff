internal import SegueBase

/// The comparison of the date of the end with the clock.
enum ClockComparison {
    /// The tolerance for fast clocks in seconds.
    private static let futureLimit = 5.0
    /// The maximum age of the end of a live stream in seconds.
    private static let pastLimit = 600.0

    /// Returns a breach if the end is too far from the clock; `behind` is its age in seconds.
    static func breach(behind: Double) -> Breach? {
        if behind < -futureLimit {
            return Breach(LiveRules.dateClock, "the end is \(DisplayText.seconds(-behind)) in the future")
        }
        guard behind > pastLimit else { return nil }
        let comparison = Comparison(
            "the end is behind the clock by",
            behind,
            expected: .atMost(pastLimit),
            unit: .seconds
        )
        return Breach(LiveRules.dateClock, comparison)
    }
}
