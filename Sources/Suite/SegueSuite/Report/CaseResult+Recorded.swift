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
            name: RecordedCase.Name(name),
            verdict: RecordedCase.Verdict(verdict),
            findings: findings.map(\.recorded),
            metrics: figures.compactMapValues(\.self)
        )
    }
}

extension RecordedCase.Name {
    init(_ name: CaseName) {
        self.init(
            file: name.file,
            scenario: name.scenario,
            network: name.network,
            platform: name.platform,
            app: name.app,
            seed: name.seed
        )
    }
}

extension RecordedCase.Verdict {
    init(_ verdict: Verdict) {
        switch verdict {
        case .pass: self = .pass
        case .fail: self = .fail
        case .known: self = .known
        case .skip: self = .skip
        case .broken: self = .broken
        }
    }
}
