internal import Foundation
package import SegueComparison

extension CaseOutcome {
    /// The case as a history stores it: the content of the report's JSON.
    ///
    /// `withTimes` decides whether to include the costs.
    ///
    /// - Throws: An `EncodingError` for a figure that JSON cannot represent.
    package func recorded(withTimes: Bool) throws -> RecordedCase {
        var recorded = try result.recorded()
        if withTimes { recorded.seconds = cost?.processorSeconds }
        return recorded
    }
}

extension CaseResult {
    /// The case as a history stores it, without costs.
    ///
    /// - Throws: An `EncodingError` for a figure that JSON cannot represent.
    package func recorded() throws -> RecordedCase {
        let figures = try JSONDecoder().decode(
            [String: RecordedMetric?].self,
            from: try JSONEncoder().encode(metrics)
        )
        return RecordedCase(
            name: name,
            verdict: verdict,
            findings: findings.map(\.recorded),
            metrics: figures.compactMapValues(\.self)
        )
    }
}
