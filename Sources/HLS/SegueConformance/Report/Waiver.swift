/// Findings that are known and accepted, with the reason why.
package struct Waiver: Sendable, Hashable {
    /// The rule whose findings are meant.
    package var rule: String
    /// What the place's URL contains; any place where it is empty.
    package var place: String
    /// What the message contains; any message where it is empty.
    package var message: String
    /// Why they are accepted.
    package var reason: String

    /// A waiver; of all findings of a rule unless told otherwise.
    package init(rule: String, place: String = "", message: String = "", reason: String) {
        (self.rule, self.place, self.message, self.reason) = (rule, place, message, reason)
    }

    /// Whether a finding is meant.
    package func covers(_ finding: BrokenRule) -> Bool {
        finding.rule.id == rule && (place.isEmpty || finding.place.url.contains(place))
            && (message.isEmpty || finding.message.contains(message))
    }
}
