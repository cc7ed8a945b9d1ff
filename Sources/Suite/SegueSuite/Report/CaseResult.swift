/// What became of a case.
package enum Verdict: String, Sendable, Codable, CaseIterable {
    /// No rule was broken; a remark there may be.
    case pass
    /// At least one rule was broken.
    case fail
    /// Only rules were broken whose breaking is a known issue.
    case known
    /// The case cannot be run on this file; a finding says why.
    case skip
    /// What the case needs to be run was not there, which says nothing of the file; a finding says what.
    case broken
}

/// One run: an item under a scenario, on a platform, with an app policy, over a network, from a seed.
package struct CaseName: Sendable, Codable, Hashable {
    /// The file's path below the folder that was given.
    package var file: String
    /// The scenario's name.
    package var scenario: String
    /// The network's name.
    package var network: String
    /// The platform's name.
    package var platform: String
    /// The app policy's name.
    package var app: String
    /// The seed of everything random in the run.
    package var seed: Int

    /// A case.
    package init(file: String, scenario: String, network: String, platform: String, app: String, seed: Int) {
        self.file = file
        self.scenario = scenario
        self.network = network
        self.platform = platform
        self.app = app
        self.seed = seed
    }
}

/// A case with what became of it.
package struct CaseResult: Sendable, Equatable {
    /// Which case.
    package var name: CaseName
    /// What became of it.
    package var verdict: Verdict
    /// The rules that were broken, in order of time.
    package var findings: [Finding]
    /// What was measured.
    package var metrics: CaseMetrics

    /// A case with what became of it.
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
