package import Story

/// A case's result with its story.
package struct CaseOutcome: Sendable, Codable, Equatable {
    /// What became of it.
    package var result: CaseResult
    /// What happened; nil where the case did not run.
    package var story: RunStory?

    /// A result with its story.
    package init(_ result: CaseResult, story: RunStory? = nil) {
        self.result = result
        self.story = story
    }
}
