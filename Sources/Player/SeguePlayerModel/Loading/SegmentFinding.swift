package import SegueFetch
package import SeguePlaylists

/// What a segment or an initialization section held, once it was looked into: all that players need of its bytes.
package struct SegmentFinding: Sendable, Equatable {
    /// What the segment's initialization section held; nil where there is none.
    package var initialization: SegmentInspection?
    /// What is in it, or why it is neither.
    package var result: Result<SegmentInspection, SegmentError>

    /// What a segment held.
    package init(initialization: SegmentInspection?, result: Result<SegmentInspection, SegmentError>) {
        (self.initialization, self.result) = (initialization, result)
    }

    /// All that was found out of a resource so far.
    package static func all(of bytes: SharedBytes) -> [SegmentFinding] {
        bytes.answers(to: SegmentQuestion.self, Result<SegmentInspection, SegmentError>.self).map {
            SegmentFinding(initialization: $0.question.initialization, result: $0.answer)
        }
    }

    /// Lets players of a resource know it, who then do not look into the bytes.
    package func tell(_ bytes: SharedBytes) { bytes.learn(result, to: SegmentQuestion(initialization: initialization)) }
}
