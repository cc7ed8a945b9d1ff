package import SegueFetch
package import SeguePlaylists

/// The inspected contents of a segment or an initialization section, which is all that players need of its bytes.
package struct SegmentFinding: Sendable, Equatable {
    /// The contents of the segment's initialization section, if it has one.
    package var initialization: SegmentInspection?
    /// The contents, or the error.
    package var result: Result<SegmentInspection, SegmentError>

    package init(initialization: SegmentInspection?, result: Result<SegmentInspection, SegmentError>) {
        (self.initialization, self.result) = (initialization, result)
    }

    /// Returns every known finding about a resource.
    package static func all(of bytes: SharedBytes) -> [SegmentFinding] {
        bytes.answers(to: SegmentQuestion.self, Result<SegmentInspection, SegmentError>.self).map {
            SegmentFinding(initialization: $0.question.initialization, result: $0.answer)
        }
    }

    /// Stores the finding with the resource, so that players do not inspect the bytes again.
    package func tell(_ bytes: SharedBytes) { bytes.learn(result, to: SegmentQuestion(initialization: initialization)) }
}
