package import SegueBase

/// A defect or limit that is known: findings of it do not fail a case, for as long as it is not expired.
package struct KnownIssue: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// What is known, and what will mend it.
    package var about: String
    /// The file that it stands in.
    package var file = ""
    /// The rule that it breaks.
    package var rule: String
    /// What the finding's message contains; empty for any.
    package var message = ""
    /// The cases that it is about.
    package var scope = CaseScope()
    /// Who sees to it, and where that can be followed.
    package var owner: String?
    package var link: String?
    /// Since when it is known.
    package var since: CalendarDay?
    /// The last day on which it excuses anything; nil for no end.
    package var expires: CalendarDay?
    /// Whether it is a limit that stays, and is not missed where nothing meets it.
    package var isStanding = false

    /// A known issue about all cases, without an end.
    package init(name: String, about: String, rule: String) {
        self.name = name
        self.about = about
        self.rule = rule
    }

    /// Whether a finding of a case is this issue.
    package func covers(_ finding: Finding, of name: CaseName, tags: [String] = []) -> Bool {
        finding.rule == rule && (message.isEmpty || finding.message.contains(message))
            && scope.holds(for: name, tags: tags)
    }

    /// Whether its last day is over.
    package func isExpired(on today: CalendarDay?) -> Bool {
        guard let expires, let today else { return false }
        return today > expires
    }

    /// Who sees to it and where, for the end of a line; empty where nobody says.
    package var contact: String {
        [owner.map { "owner \($0)" }, link].compactMap(\.self).joined(separator: ", ")
    }
}

/// Which known issues still cover something.
package struct KnownIssueUse {
    private let issues: [KnownIssue]
    private var used: Set<String> = []
    private var met: Set<String> = []

    /// No case was looked at yet.
    package init(of issues: [KnownIssue]) { self.issues = issues.filter { !$0.isStanding } }

    /// Looks at what became of a case.
    ///
    /// - Parameters:
    ///   - tags: The tags of its title.
    package mutating func add(_ result: CaseResult, tags: [String] = []) {
        guard result.verdict != .skip else { return }
        for issue in issues where !used.contains(issue.name) && issue.scope.holds(for: result.name, tags: tags) {
            met.insert(issue.name)
            if result.findings.contains(where: { issue.covers($0, of: result.name, tags: tags) }) {
                used.insert(issue.name)
            }
        }
    }

    /// The issues that are about cases that were run, and cover nothing of what was found.
    package var unused: [KnownIssue] { issues.filter { met.contains($0.name) && !used.contains($0.name) } }
}

extension KnownIssue {
    /// What is said of an issue that covers nothing any more, in one line.
    package var farewell: String {
        let contact = contact.isEmpty ? "" : " (\(contact))"
        return "known issue \(name)\(contact) covers nothing any more; \(file) can do without it"
    }
}
