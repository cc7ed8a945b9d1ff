internal import SegueBase
package import SegueCharts
package import SeguePlayerModel

/// The result of a case with its timeline and costs.
package struct CaseOutcome: Sendable, Codable, Equatable {
    package var result: CaseResult
    /// The timeline; nil for a case that did not run.
    package var story: RunTimeline?
    /// The transitions of app, platform, and player; nil for a case that did not run.
    package var trace: TransitionTrace?

    /// The number of scenario steps that were done.
    package var steps: Int
    /// The duration of the steps in seconds, without the server's work and the comparison of content.
    package var stepsSeconds: Double
    /// The duration of the server's work in seconds.
    package var servingSeconds: Double

    /// The number of scenario steps that the platform or app does not support; nil in results of older versions.
    package var skippedSteps: Int?

    /// The costs; nil if not measured.
    package var cost: CaseCost?

    /// The time of the content verification; nil without one.
    package var verified: ContentVerification?

    package init(
        _ result: CaseResult,
        story: RunTimeline? = nil,
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
