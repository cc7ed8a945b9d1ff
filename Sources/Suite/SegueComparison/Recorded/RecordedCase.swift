/// A case of a run as it was written down: `cases` of a report's JSON, or a line of a run folder.
package struct RecordedCase: Sendable, Equatable {
    /// Which case: what is the same from run to run.
    package struct Name: Sendable, Hashable, Codable {
        /// The file or title.
        package var file: String
        /// The scenario, the network, the platform and the app policy.
        package var scenario: String
        package var network: String
        package var platform: String
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

        /// What is crossed with the file, in the order of the table: scenario, network, platform, app policy, and the
        /// seed where it is not the usual one.
        package var circumstances: String {
            [scenario, network, platform, app].joined(separator: " ") + (seed == 1 ? "" : " seed \(seed)")
        }

        /// A text that no other case has.
        package var key: String { [file, scenario, network, platform, app, String(seed)].joined(separator: "\u{1F}") }
    }

    /// What became of it.
    package enum Verdict: String, Sendable, Codable, CaseIterable {
        case pass, fail, known, skip, broken

        /// Whether what was looked at is as it should be, or its defects are known.
        package var isGood: Bool { self == .pass || self == .known }
        /// Whether it counts as a failure of the run.
        package var isBad: Bool { self == .fail || self == .broken }
    }

    /// Something that was found.
    package struct Finding: Sendable, Equatable {
        /// The rule's name.
        package var rule: String
        /// A sentence for people.
        package var message: String
        /// The time, in seconds since the case began.
        package var at: Double?
        /// The values behind the message.
        package var evidence: FindingEvidence

        package init(rule: String, message: String, at: Double? = nil, _ evidence: FindingEvidence = .init()) {
            self.rule = rule
            self.message = message
            self.at = at
            self.evidence = evidence
        }
    }

    /// Which case.
    package var name: Name
    /// What became of it.
    package var verdict: Verdict
    /// What was found.
    package var findings: [Finding]
    /// What was measured, by name; what does not apply is not there.
    package var metrics: [String: RecordedMetric]
    /// The processor time that it took, in seconds; nil where nobody wrote it down.
    package var seconds: Double?

    /// A case.
    package init(
        name: Name,
        verdict: Verdict,
        findings: [Finding] = [],
        metrics: [String: RecordedMetric] = [:],
        seconds: Double? = nil
    ) {
        self.name = name
        self.verdict = verdict
        self.findings = findings
        self.metrics = metrics
        self.seconds = seconds
    }
}

/// A figure, or a word such as `continues`.
package enum RecordedMetric: Sendable, Equatable, Codable {
    case number(Double)
    case word(String)

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .word(try value.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .number(let number): try value.encode(number)
        case .word(let word): try value.encode(word)
        }
    }

    /// The figure; nil for a word.
    package var number: Double? { if case .number(let number) = self { number } else { nil } }
}

extension RecordedCase.Finding: Codable {
    private enum Key: String, CodingKey { case rule, message, at }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        rule = try fields.decode(String.self, forKey: .rule)
        message = try fields.decode(String.self, forKey: .message)
        at = try fields.decodeIfPresent(Double.self, forKey: .at)
        evidence = try FindingEvidence(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(rule, forKey: .rule)
        try fields.encode(message, forKey: .message)
        try fields.encodeIfPresent(at, forKey: .at)
        try evidence.encode(to: encoder)
    }
}

extension RecordedCase: Codable {
    private enum Key: String, CodingKey { case verdict, findings, metrics, seconds, times }

    /// What a case of a run folder says of its costs.
    private struct Times: Decodable { let processorSeconds: Double? }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        name = try Name(from: decoder)
        verdict = try fields.decode(Verdict.self, forKey: .verdict)
        findings = try fields.decodeIfPresent([Finding].self, forKey: .findings) ?? []
        metrics =
            try fields.decodeIfPresent([String: RecordedMetric?].self, forKey: .metrics)?.compactMapValues(\.self)
            ?? [:]
        seconds =
            try fields.decodeIfPresent(Double.self, forKey: .seconds)
            ?? fields.decodeIfPresent(Times.self, forKey: .times)?.processorSeconds
    }

    package func encode(to encoder: any Encoder) throws {
        try name.encode(to: encoder)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(verdict, forKey: .verdict)
        try fields.encode(findings, forKey: .findings)
        try fields.encode(metrics, forKey: .metrics)
        try fields.encodeIfPresent(seconds, forKey: .seconds)
    }
}
