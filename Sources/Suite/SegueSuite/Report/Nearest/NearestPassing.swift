package import SegueComparison
internal import SeguePlayerModel

/// The passing case that is nearest to a failing one, and the comparison of their transitions.
package struct NearestPassing: Sendable {
    /// The passing case.
    package let name: CaseName
    /// The values in which the failing and the passing case differ.
    package let differences: [Difference]
    package let comparison: TraceComparison

    /// A value in which two cases differ.
    package struct Difference: Sendable, Equatable, Encodable {
        package let dimension: Dimension
        package let failing: String
        package let passing: String
    }

    /// The dimensions of the matrix in which cases of one file and scenario differ, the nearest first.
    package enum Dimension: String, Sendable, CaseIterable, Encodable {
        case seed, network, app, device, platform

        fileprivate func value(of name: CaseName) -> String {
            switch self {
            case .seed: "seed \(name.seed)"
            case .network: name.network
            case .device: name.device ?? "no device"
            case .app: name.app
            case .platform: name.platform
            }
        }
    }

    /// The failing and the passing values, in words.
    package var failingWords: String { differences.map(\.failing).joined(separator: " ") }
    package var passingWords: String { differences.map(\.passing).joined(separator: " ") }

    /// Finds the nearest passing case of a failing one; nil without one that has a trace, and for wrong content.
    init?(of failing: CaseOutcome, among cases: [CaseOutcome]) {
        guard failing.result.verdict == .fail, let trace = failing.trace, !trace.steps.isEmpty else { return nil }
        let (name, findings) = (failing.result.name, failing.result.findings.filter { !$0.isRemark && $0.known == nil })
        let finding = findings.first { $0.at != nil } ?? findings.first
        // Wrong content is not a matter of transitions.
        guard finding?.evidence.place?.rendition == nil else { return nil }
        let candidates = cases.filter { other in
            other.result.verdict == .pass && other.result.name.file == name.file
                && other.result.name.scenario == name.scenario && other.trace?.steps.isEmpty == false
        }
        // The first of equally near cases, in the order of the matrix.
        let nearest = candidates.min { one, other in
            let ranks = [one, other].map { Self.rank(Self.differences(name, $0.result.name)) }
            return ranks[0].lexicographicallyPrecedes(ranks[1])
        }
        guard let nearest, let passing = nearest.trace else { return nil }
        self.name = nearest.result.name
        differences = Self.differences(name, nearest.result.name)
        comparison = TraceComparison(failing: trace, passing: passing, finding: finding)
    }

    private static func differences(_ failing: CaseName, _ passing: CaseName) -> [Difference] {
        Dimension.allCases.compactMap { dimension in
            let (one, other) = (dimension.value(of: failing), dimension.value(of: passing))
            return one == other ? nil : Difference(dimension: dimension, failing: one, passing: other)
        }
    }

    /// The number of differences, then their dimensions.
    private static func rank(_ differences: [Difference]) -> [Int] {
        [differences.count] + differences.map { Dimension.allCases.firstIndex(of: $0.dimension) ?? 0 }
    }
}

extension SuiteReport {
    /// The nearest passing cases of failing ones.
    ///
    /// - Throws: `Errno` if the outcomes cannot be read.
    package func nearestPassing(of names: Set<CaseName>) throws -> [CaseName: NearestPassing] {
        guard !names.isEmpty else { return [:] }
        let files = Set(names.map(\.file))
        var nearest: [CaseName: NearestPassing] = [:]
        try outcomes.eachFile { cases in
            guard let file = cases.first?.result.name.file, files.contains(file) else { return }
            for outcome in cases where names.contains(outcome.result.name) {
                nearest[outcome.result.name] = NearestPassing(of: outcome, among: cases)
            }
        }
        return nearest
    }
}
