package enum Verdict: String, Sendable, Codable, CaseIterable {
    /// No rule is broken; there may be remarks.
    case pass
    /// At least one rule is broken.
    case fail
    /// Only rules covered by known issues are broken.
    case known
    /// The case does not apply to the file; a finding has the reason.
    case skip
    /// The case could not be run for a reason that has nothing to do with the file; a finding has the reason.
    case broken
}

/// The identity of a run: a file, a scenario, a platform, an app policy, a network, and a seed.
package struct CaseName: Sendable, Codable, Hashable {
    /// The path below the given folder.
    package var file: String
    package var scenario: String
    package var network: String
    package var platform: String
    package var app: String
    package var seed: Int

    package init(file: String, scenario: String, network: String, platform: String, app: String, seed: Int) {
        self.file = file
        self.scenario = scenario
        self.network = network
        self.platform = platform
        self.app = app
        self.seed = seed
    }
}

package struct CaseResult: Sendable, Equatable {
    package var name: CaseName
    package var verdict: Verdict
    /// The findings, ordered by time.
    package var findings: [Finding]
    package var metrics: CaseMetrics

    package init(name: CaseName, verdict: Verdict, findings: [Finding], metrics: CaseMetrics = CaseMetrics()) {
        self.name = name
        self.verdict = verdict
        self.findings = findings
        self.metrics = metrics
    }
}

extension CaseResult: Codable {
    private enum Key: String, CodingKey { case verdict, findings, metrics }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        name = try CaseName(from: decoder)
        verdict = try fields.decode(Verdict.self, forKey: .verdict)
        findings = try fields.decode([Finding].self, forKey: .findings)
        metrics = try fields.decode(CaseMetrics.self, forKey: .metrics)
    }

    package func encode(to encoder: any Encoder) throws {
        try name.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(verdict, forKey: .verdict)
        try fields.encode(findings, forKey: .findings)
        try fields.encode(metrics, forKey: .metrics)
    }
}
