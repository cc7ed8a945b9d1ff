package import Events
package import Harness
internal import Timeline

/// The rules that logs are read against, and the known issues that excuse their breaking.
package struct RuleBook: Sendable {
    /// The rules, in the order in which findings of the same moment are listed.
    package let rules: [LogRule]

    /// The known issues.
    package let knownIssues: [KnownIssue]

    /// Rules and known issues.
    package init(rules: [LogRule], knownIssues: [KnownIssue]) {
        self.rules = rules
        self.knownIssues = knownIssues
    }

    /// All rule files and known issues of a data folder.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - given: The files of the run, whose names rules may name too.
    /// - Throws: ``HarnessError`` for the first thing that is wrong in them.
    package init(folder: HarnessFolder, given: DataPaths? = nil) throws(HarnessError) {
        let rules = try RuleBook.rules(in: folder, DataNames(folder: folder, given: given))
        var issues: [KnownIssue] = []
        for name in folder.names(of: .knownIssues) {
            let path = try folder.file(name, of: .knownIssues)
            issues.append(try KnownIssue(fileAt: path, rules: rules.map(\.id)))
        }
        self.init(rules: rules, knownIssues: issues)
    }

    /// The rules of some files, and no known issues.
    ///
    /// - Parameters:
    ///   - files: Rule files, by name or path.
    ///   - folder: The data folder.
    ///   - given: The files of the run, whose names rules may name too.
    /// - Throws: ``HarnessError`` for the first thing that is wrong in them.
    package init(ruleFiles files: [String], in folder: HarnessFolder, given: DataPaths? = nil) throws(HarnessError) {
        let names = DataNames(folder: folder, given: given)
        var rules: [LogRule] = []
        for file in files { rules += try LogRule.rules(fileAt: folder.file(file, of: .rules), names: names) }
        self.init(rules: rules, knownIssues: [])
    }

    /// The names of all rules in a data folder.
    ///
    /// - Throws: ``HarnessError`` for the first thing that is wrong in its rule files.
    static func names(in folder: HarnessFolder) throws(HarnessError) -> [String] {
        try rules(in: folder, nil).map(\.id)
    }

    private static func rules(in folder: HarnessFolder, _ names: DataNames?) throws(HarnessError) -> [LogRule] {
        var rules: [LogRule] = []
        for name in folder.names(of: .rules) {
            rules += try LogRule.rules(fileAt: folder.file(name, of: .rules), names: names)
        }
        return rules
    }

    /// What a case's log breaks of the rules.
    ///
    /// - Parameters:
    ///   - name: The case.
    ///   - log: Its log.
    ///   - background: What became of the sound in the background; nil where the scenario has none.
    ///   - headroom: How many times faster than the stream's peak the network is.
    ///   - metrics: What was measured.
    ///   - tags: The title's tags.
    /// - Returns: The findings, ordered by time.
    package func findings(
        for name: CaseName,
        log: EventLog,
        background: String?,
        headroom: Double = .infinity,
        metrics: CaseMetrics = CaseMetrics(),
        tags: [String] = []
    ) -> [Finding] {
        let found = rules.filter { $0.holds(for: name, headroom: headroom, tags: tags) }.compactMap {
            $0.finding(in: log, background: background, metrics: metrics)
        }
        return found.enumerated()
            .sorted { ($0.element.at ?? .infinity, $0.offset) < ($1.element.at ?? .infinity, $1.offset) }
            .map(\.element)
    }

    /// What findings amount to.
    package func verdict(on findings: [Finding]) -> Verdict {
        let broken = findings.filter { !$0.isRemark }
        guard !broken.isEmpty else { return .pass }
        let isKnown = broken.allSatisfy { finding in knownIssues.contains { $0.covers(finding) } }
        return isKnown ? .known : .fail
    }
}

/// A defect or limit that is known: findings of it do not fail a case.
package struct KnownIssue: Sendable, Equatable {
    /// Its name.
    package let name: String
    /// What is known, and what will mend it.
    package let about: String
    /// The rule that it breaks.
    package let rule: String
    /// What the finding's message contains; empty for any.
    package let message: String

    /// Whether a finding is this issue.
    package func covers(_ finding: Finding) -> Bool {
        finding.rule == rule && (message.isEmpty || finding.message.contains(message))
    }
}
