internal import SegueComparison

/// The totals of a suite's cases.
package struct SuiteTally: Sendable, Equatable {
    package private(set) var summary = SuiteReport.Summary()
    /// The durations of the scenario steps.
    package private(set) var steps = Steps()
    /// The length of the longest text in each column except the last.
    private(set) var widths = SuiteTable.header.dropLast().map(\.count)

    private var lastFile: String?

    /// The durations of the scenario steps in all cases with any.
    package struct Steps: Sendable, Equatable {
        package fileprivate(set) var cases = 0
        /// The number of steps.
        package fileprivate(set) var count = 0
        /// The number of steps that a platform or app does not support.
        package fileprivate(set) var skipped = 0
        /// The total duration in seconds.
        package fileprivate(set) var seconds = 0.0
        /// The duration of the longest case in seconds.
        package fileprivate(set) var mostSeconds = 0.0
        /// The duration of the server's work in seconds.
        package fileprivate(set) var servingSeconds = 0.0

        fileprivate mutating func add(_ other: Steps) {
            cases += other.cases
            count += other.count
            skipped += other.skipped
            seconds += other.seconds
            mostSeconds = max(mostSeconds, other.mostSeconds)
            servingSeconds += other.servingSeconds
        }
    }

    package init() {}

    package mutating func add(_ outcome: CaseOutcome) {
        let result = outcome.result
        if lastFile != result.name.file {
            summary.files += 1
            lastFile = result.name.file
        }
        summary.add(result)
        if outcome.verified?.when == .before { summary.verifiedBefore += 1 }
        for (column, text) in zip(widths.indices, SuiteTable.row(result)) {
            widths[column] = max(widths[column], text.count)
        }
        steps.skipped += outcome.skippedSteps ?? 0
        guard outcome.steps > 0 else { return }
        steps.add(
            Steps(
                cases: 1,
                count: outcome.steps,
                seconds: outcome.stepsSeconds,
                mostSeconds: outcome.stepsSeconds,
                servingSeconds: outcome.servingSeconds
            )
        )
    }

    /// Adds the cases of other files.
    mutating func add(_ other: SuiteTally) {
        summary.add(other.summary)
        for column in widths.indices { widths[column] = max(widths[column], other.widths[column]) }
        steps.add(other.steps)
    }
}
