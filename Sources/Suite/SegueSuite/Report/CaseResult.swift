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

/// A rule that a log or what was delivered broke.
package struct Finding: Sendable, Codable, Equatable {
    /// The rule's id.
    package let rule: String

    /// What happened, in one line.
    package let message: String

    /// When, in seconds since the run began; nil when it belongs to no moment.
    package let at: Double?

    /// The known issue that covers it; nil where none does.
    package var known: String?

    /// The rule and what happened, in one line.
    package var words: String { "\(rule): \(message)" }

    /// A finding.
    package init(rule: String, message: String, at: Double? = nil) {
        self.rule = rule
        self.message = message
        self.at = at
    }
}

extension Finding {
    /// The findings that no rule file makes; `content.…` are those of ``VerificationReport/Rule`` besides.
    package enum Own: String, Sendable, CaseIterable {
        /// The file has not what the scenario needs.
        case needs
        /// The file has nothing at all that can be played.
        case unplayable
        /// The file has media, but no plan for it could be made.
        case unopened
        /// The file itself is damaged: it says what libav cannot decode of it.
        case sourceDamaged = "source-damaged"
        /// A stream of the file is not served: it says why.
        case unserved
        /// The title's server does not answer.
        case noServer = "no-server"
        /// The server has no such rendition.
        case refused
        /// A step of the scenario found what it did not expect, or did not come to its end.
        case stepFailed = "step-failed"
        /// The driver of a real player ended, was silent, or does not keep to the protocol.
        case driverFailed = "driver-failed"
        /// The driver of a real player, or the player, cannot do what the scenario asks for.
        case notDriven = "not-driven"
        /// What was seen and heard of a real player, by a recording.
        case observed
        /// A real player said of itself what nobody saw or heard.
        case unobserved
        /// Nothing could happen any more before the scenario was done.
        case noProgress = "no-progress"
        /// The process that worked on the file died.
        case crash
        /// The process that worked on the file did not come to its end.
        case hang
        /// The process that worked on the file took too much memory.
        case memory
        /// The machine could not run the case.
        case notRun = "not-run"
        /// A known issue covers something, and is expired.
        case issueExpired = "known-issue-expired"
        /// What was delivered could not be fetched to be compared.
        case undelivered = "content.undelivered"
    }

    /// A finding that no rule file makes.
    package init(_ own: Own, _ message: String, at: Double? = nil) {
        self.init(rule: own.rawValue, message: message, at: at)
    }

    /// Whether it is worth saying, and breaks no rule.
    package var isRemark: Bool {
        [Own.sourceDamaged, .unserved, .notDriven, .observed].contains { $0.rawValue == rule }
    }
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
