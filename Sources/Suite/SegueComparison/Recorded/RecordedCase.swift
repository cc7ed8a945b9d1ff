package import SegueBase

/// A case as a report's `cases` or a line of a run folder records it.
package struct RecordedCase: Sendable, Equatable {
    package struct Finding: Sendable, Equatable {
        package var rule: String
        /// A sentence for people.
        package var message: Message
        /// The time, in seconds since the case began.
        package var at: Double?
        /// The values behind the message.
        package var evidence: FindingEvidence

        /// The rule and the message without its values, which findings of one cause share.
        package var shape: String { "\(rule): \(message.shape)" }

        /// The rule and the message.
        package var line: String { "\(rule): \(message)" }

        package init(rule: String, message: Message, at: Double? = nil, _ evidence: FindingEvidence = .init()) {
            self.rule = rule
            self.message = message
            self.at = at
            self.evidence = evidence
        }
    }

    package var name: CaseName
    package var verdict: Verdict
    package var findings: [Finding]
    /// The metrics by name; those that do not apply are absent.
    package var metrics: [String: RecordedMetric]
    /// The processor time in seconds; nil if it was not recorded.
    package var seconds: Double?

    package init(
        name: CaseName,
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

/// A number, or a word such as `continues`.
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

    package var number: Double? { if case .number(let number) = self { number } else { nil } }
}

extension RecordedCase.Finding: Codable {
    private enum Key: String, CodingKey { case rule, message, parts, at }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        rule = try fields.decode(String.self, forKey: .rule)
        message = Message(
            try fields.decode(String.self, forKey: .message),
            parts: try fields.decodeIfPresent(Message.self, forKey: .parts)
        )
        at = try fields.decodeIfPresent(Double.self, forKey: .at)
        evidence = try FindingEvidence(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(rule, forKey: .rule)
        try fields.encode(message.text, forKey: .message)
        try fields.encode(message, forKey: .parts)
        try fields.encodeIfPresent(at, forKey: .at)
        try evidence.encode(to: encoder)
    }
}

extension RecordedCase: Codable {
    private enum Key: String, CodingKey { case verdict, findings, metrics, seconds, times }

    /// The costs in a case of a run folder.
    private struct Times: Decodable { let processorSeconds: Double? }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        name = try CaseName(from: decoder)
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
