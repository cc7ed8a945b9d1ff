internal import SegueBase
internal import SegueConformance

/// A requirement of a specification that delivered content violates.
package struct ViolatedRequirement: Sendable, Equatable, Codable {
    /// The clauses, such as `R4.3.2.1, A8.1`.
    package let clauses: String

    /// True for MUST, false for SHOULD.
    package let isMust: Bool

    /// False if only a specification outside the profile of the run requires it.
    package let isCounted: Bool

    /// True if it fails a case.
    package var isViolation: Bool { isMust && isCounted }

    /// The clauses at the end of a message.
    var suffix: Message { " (\(clauses))" }

    /// The rules of `segue validate` by their names in findings of the suite.
    static let rules = Dictionary(RuleCatalog.rules.map { (name(of: $0), $0) }) { first, _ in first }

    /// The name of a rule of `segue validate` in findings of the suite.
    static func name(of rule: Rule) -> String { "hls.\(rule.id)" }

    /// The requirement behind a finding; nil for advice, which no specification requires.
    init?(of rule: Rule, in profile: Profile) {
        guard let severity = rule.severity(), severity != .advice else { return nil }
        let counted = rule.severity(in: profile)
        let isCounted = counted == .must || counted == .should
        clauses = rule.clause
        isMust = (isCounted ? counted : severity) == .must
        self.isCounted = isCounted
    }
}
