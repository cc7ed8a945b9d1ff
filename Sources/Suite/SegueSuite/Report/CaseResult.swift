package import SegueComparison

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
