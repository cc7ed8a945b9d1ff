package import SegueBase
package import SegueComparison

/// A violation of a rule by a log or by delivered content, or a remark.
package struct Finding: Sendable, Equatable {
    /// The rule's id.
    package let rule: String

    /// A sentence for people.
    package let message: Message

    /// The time, in seconds since the run began; nil for a finding about the whole run.
    package let at: Double?

    /// The values behind the message.
    package let evidence: FindingEvidence

    /// The known issue that covers it, if any.
    package var known: String?

    /// The requirement of a specification that it violates; nil for another rule.
    package var requirement: ViolatedRequirement?

    /// The rule, its clauses if a specification requires it, and the message, in one line.
    package var words: String { "\(rule)\(requirement.map { " (\($0.clauses))" } ?? ""): \(message)" }

    package init(rule: String, message: Message, at: Double? = nil, evidence: FindingEvidence = .init()) {
        self.rule = rule
        self.message = message
        self.at = at
        self.evidence = evidence
    }
}

extension Finding {
    /// The severity of a finding, in the words of the standards.
    enum Severity: String, Codable { case must, should, advice }

    var severity: Severity {
        if isRemark { return requirement.map { $0.isCounted && !$0.isMust } == true ? .should : .advice }
        return .must
    }

    /// The finding as a history stores it.
    package var recorded: RecordedCase.Finding {
        RecordedCase.Finding(rule: rule, message: message + (requirement?.suffix ?? ""), at: at, evidence)
    }
}

extension Finding: Codable {
    private enum Key: String, CodingKey { case rule, severity, message, parts, at, known, requirement }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        rule = try fields.decode(String.self, forKey: .rule)
        message = Message(
            try fields.decode(String.self, forKey: .message),
            parts: try fields.decodeIfPresent(Message.self, forKey: .parts)
        )
        at = try fields.decodeIfPresent(Double.self, forKey: .at)
        known = try fields.decodeIfPresent(String.self, forKey: .known)
        requirement = try fields.decodeIfPresent(ViolatedRequirement.self, forKey: .requirement)
        evidence = try FindingEvidence(from: decoder)
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(rule, forKey: .rule)
        try fields.encode(severity, forKey: .severity)
        try fields.encode(message.text, forKey: .message)
        try fields.encode(message, forKey: .parts)
        try fields.encodeIfPresent(at, forKey: .at)
        try fields.encodeIfPresent(known, forKey: .known)
        try fields.encodeIfPresent(requirement, forKey: .requirement)
        try evidence.encode(to: encoder)
    }
}
