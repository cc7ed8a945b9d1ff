package import SegueBase
package import SegueComparison

/// A known defect or limitation.
///
/// Findings that it covers do not fail a case until it expires.
package struct KnownIssue: Sendable, Equatable {
    package var name: String
    /// A description with the planned fix.
    package var about: String
    package var file = ""
    /// The rule that it violates.
    package var rule: String
    /// A part of the finding's message; empty for any.
    package var message = ""
    package var scope = CaseScope()
    /// The person in charge, and the address to follow it.
    package var owner: String?
    package var link: String?
    package var since: CalendarDay?
    /// The last day on which it applies; nil for no end.
    package var expires: CalendarDay?
    /// True if it is a permanent limitation, so that it is not reported as unused.
    package var isStanding = false

    /// A known issue for all cases that never expires.
    package init(name: String, about: String, rule: String) {
        self.name = name
        self.about = about
        self.rule = rule
    }

    package func covers(_ finding: Finding, of name: CaseName, tags: [String] = []) -> Bool {
        finding.rule == rule && (message.isEmpty || finding.message.text.contains(message))
            && scope.holds(for: name, tags: tags)
    }

    /// Returns whether its last day has passed.
    package func isExpired(on today: CalendarDay?) -> Bool {
        guard let expires, let today else { return false }
        return today > expires
    }

    /// The owner and the link, as the end of a line; empty without either.
    package var contact: String {
        [owner.map { "owner \($0)" }, link].compactMap(\.self).joined(separator: ", ")
    }
}

/// The use of known issues over a run.
package struct KnownIssueUse {
    private let issues: [KnownIssue]
    private var used: Set<String> = []
    private var met: Set<String> = []

    package init(of issues: [KnownIssue]) { self.issues = issues.filter { !$0.isStanding } }

    /// Counts the result of a case.
    ///
    /// `tags` are the tags of its title.
    package mutating func add(_ result: CaseResult, tags: [String] = []) {
        guard result.verdict != .skip else { return }
        for issue in issues where !used.contains(issue.name) && issue.scope.holds(for: result.name, tags: tags) {
            met.insert(issue.name)
            if result.findings.contains(where: { issue.covers($0, of: result.name, tags: tags) }) {
                used.insert(issue.name)
            }
        }
    }

    /// The issues whose cases were run and that covered nothing.
    package var unused: [KnownIssue] { issues.filter { met.contains($0.name) && !used.contains($0.name) } }
}

extension KnownIssue {
    /// The line for an issue that covers nothing any more.
    package var farewell: String {
        let contact = contact.isEmpty ? "" : " (\(contact))"
        return "known issue \(name)\(contact) covers no findings any more; remove it from \(file)"
    }
}
