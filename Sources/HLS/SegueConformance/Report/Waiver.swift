internal import SegueBase

/// An accepted kind of finding, with the reason.
package struct Waiver: Sendable, Hashable {
    /// The rule of the accepted findings.
    package var rule: String
    /// A part of the place's URL; empty for any place.
    package var place: String
    /// A part of the message; empty for any message.
    package var message: String
    package var reason: String

    /// A waiver; by default, for all findings of the rule.
    package init(rule: String, place: String = "", message: String = "", reason: String) {
        (self.rule, self.place, self.message, self.reason) = (rule, place, message, reason)
    }

    /// Returns true if the waiver applies to a finding.
    package func covers(_ finding: BrokenRule) -> Bool {
        finding.rule.id == rule && (place.isEmpty || finding.place.url.contains(place))
            && (message.isEmpty || finding.message.text.contains(message))
    }
}
