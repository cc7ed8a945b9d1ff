/// A suite's cases in figures.
package struct SuiteTally: Sendable, Equatable {
    /// Cases by verdict.
    package private(set) var summary = SuiteReport.Summary()
    /// What the scenarios' steps took.
    package private(set) var steps = Steps()
    /// How many characters the longest text of each column of the table but the last has.
    private(set) var widths = SuiteTable.header.dropLast().map(\.count)

    private var lastFile: String?

    /// What the scenarios' steps took, in all cases in which there were any.
    package struct Steps: Sendable, Equatable {
        /// Cases with steps.
        package fileprivate(set) var cases = 0
        /// All steps.
        package fileprivate(set) var count = 0
        /// How long they took, in seconds on the clock.
        package fileprivate(set) var seconds = 0.0
        /// The same for the case in which it was longest.
        package fileprivate(set) var mostSeconds = 0.0
        /// How long the server took to make its answers, in seconds on the clock.
        package fileprivate(set) var servingSeconds = 0.0

        fileprivate mutating func add(_ other: Steps) {
            cases += other.cases
            count += other.count
            seconds += other.seconds
            mostSeconds = max(mostSeconds, other.mostSeconds)
            servingSeconds += other.servingSeconds
        }
    }

    /// No cases.
    package init() {}

    /// Adds a case.
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

    /// Adds cases of other files.
    mutating func add(_ other: SuiteTally) {
        summary.add(other.summary)
        for column in widths.indices { widths[column] = max(widths[column], other.widths[column]) }
        steps.add(other.steps)
    }
}
