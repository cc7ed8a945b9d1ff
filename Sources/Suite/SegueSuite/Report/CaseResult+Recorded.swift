internal import Foundation
package import SegueComparison

extension CaseOutcome {
    /// The case as a history keeps it: what the report's JSON says of it.
    ///
    /// - Parameter withTimes: Whether with what it cost.
    /// - Throws: An `EncodingError` for a figure that JSON cannot hold.
    package func recorded(withTimes: Bool) throws -> RecordedCase {
        var recorded = try result.recorded()
        if withTimes { recorded.seconds = cost?.processorSeconds }
        return recorded
    }
}

extension CaseResult {
    /// The case as a history keeps it, without what it cost.
    ///
    /// - Throws: An `EncodingError` for a figure that JSON cannot hold.
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
    /// The case as it is written down.
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
    /// The verdict as it is written down.
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
