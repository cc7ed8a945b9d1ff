package import SegueCharts

/// A case's result with its story.
package struct CaseOutcome: Sendable, Codable, Equatable {
    /// What became of it.
    package var result: CaseResult
    /// What happened; nil where the case did not run.
    package var story: RunStory?

    /// How many steps of the scenario were done.
    package var steps: Int
    /// How long they took on the clock, in seconds, without the making of what the server answered and the comparison
    /// of what was delivered.
    package var stepsSeconds: Double
    /// How long the server took to make its answers, in seconds on the clock.
    package var servingSeconds: Double

    /// What the case cost; nil where nobody has looked.
    package var cost: CaseCost?

    /// When its content was verified; nil where none was.
    package var verified: ContentVerification?

    /// A result with its story.
    package init(
        _ result: CaseResult,
        story: RunStory? = nil,
        steps: Int = 0,
        stepsSeconds: Double = 0,
        servingSeconds: Double = 0
    ) {
        self.result = result
        self.story = story
        self.steps = steps
        self.stepsSeconds = stepsSeconds
        self.servingSeconds = servingSeconds
    }
}
