package import SegueBase
package import SegueComparison
package import SegueData
package import SegueEvents

/// The rules for logs, and the known issues that excuse violations.
package struct RuleBook: Sendable {
    /// The rules, in the order of findings of the same moment.
    package let rules: [LogRule]

    package let knownIssues: [KnownIssue]

    /// The descriptions of all rules by id, including those that no rule file defines.
    package var abouts: [String: String] {
        rules.reduce(into: Finding.ownRules) { abouts, rule in abouts[rule.id] = rule.about }
    }

    /// The day on which known issues may have expired; nil so that none expires.
    private let today: CalendarDay?

    package init(rules: [LogRule], knownIssues: [KnownIssue], today: CalendarDay? = nil) {
        self.rules = rules
        self.knownIssues = knownIssues
        self.today = today
    }

    /// All rule files and known issues of a data folder, or those of a run.
    ///
    /// `given` is the files of a run. Its rule files replace those of the folder; its known issues are added.
    ///
    /// - Throws: ``HarnessError`` for the first error in them.
    package init(folder: HarnessFolder, given: DataPaths? = nil) throws(HarnessError) {
        let names = DataNames(folder: folder, given: given)
        let rules = try RuleBook.rules(given?.rules ?? folder.names(of: .rules), in: folder, names)
        var issues: [KnownIssue] = []
        for name in folder.names(of: .knownIssues) + (given?.knownIssues ?? []) {
            let path = try folder.file(name, of: .knownIssues)
            for issue in try KnownIssue.issues(fileAt: path, rules: rules.map(\.id), names: names) {
                if let other = issues.first(where: { $0.name == issue.name }) {
                    throw HarnessError(
                        file: path,
                        key: "name",
                        message:
                            "\(issue.name) is defined twice, \(other.file == path ? "both times in this file" : "also in " + other.file)"
                    )
                }
                issues.append(issue)
            }
        }
        self.init(rules: rules, knownIssues: issues, today: given?.today)
    }

    /// The rules of files, without known issues.
    ///
    /// `files` are rule files, by name or path. `given` is the files of the run, to whose names rules may refer.
    ///
    /// - Throws: ``HarnessError`` for the first error in them.
    package init(ruleFiles files: [String], in folder: HarnessFolder, given: DataPaths? = nil) throws(HarnessError) {
        let names = DataNames(folder: folder, given: given)
        self.init(rules: try RuleBook.rules(files, in: folder, names), knownIssues: [])
    }

    /// The names of all rules in a data folder.
    ///
    /// - Throws: ``HarnessError`` for the first error in its rule files.
    static func names(in folder: HarnessFolder) throws(HarnessError) -> [String] {
        try rules(folder.names(of: .rules), in: folder, nil).map(\.id)
    }

    private static func rules(_ files: [String], in folder: HarnessFolder, _ names: DataNames?) throws(HarnessError)
        -> [LogRule]
    {
        var rules: [LogRule] = []
        for file in files {
            let path = try folder.file(file, of: .rules)
            for rule in try LogRule.rules(fileAt: path, names: names) {
                guard !rules.contains(where: { $0.id == rule.id }) else {
                    throw HarnessError(file: path, key: "id", message: "\(rule.id) is also defined in another file")
                }
                rules.append(rule)
            }
        }
        return rules
    }

    /// The violations by the log of a case, ordered by time.
    ///
    /// `background` is the fate of the audio in the background; nil if the scenario has no background. `headroom` is
    /// the ratio of the network's rate to the stream's peak.
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

    /// Judges findings.
    ///
    /// `tags` are the tags of the case's title; files have none. Returns the verdict, and the findings with the known
    /// issues that cover them. An expired issue covers nothing and is a finding itself.
    package func judgement(of findings: [Finding], in name: CaseName, tags: [String] = [])
        -> (verdict: Verdict, findings: [Finding])
    {
        var (judged, expired) = ([Finding](), [KnownIssue]())
        for var finding in findings {
            let covering = knownIssues.filter { !finding.isRemark && $0.covers(finding, of: name, tags: tags) }
            finding.known = covering.first { !$0.isExpired(on: today) }?.name
            if finding.known == nil, let issue = covering.first, !expired.contains(issue) { expired.append(issue) }
            judged.append(finding)
        }
        // The expiry comes first, since it is the cause of the change.
        judged.insert(contentsOf: expired.map(Finding.init(expired:)), at: 0)
        let broken = judged.filter { !$0.isRemark }
        guard !broken.isEmpty else { return (.pass, judged) }
        return (broken.allSatisfy { $0.known != nil } ? .known : .fail, judged)
    }
}

extension Finding {
    /// The finding for an expired known issue that would have covered something.
    fileprivate init(expired issue: KnownIssue) {
        let contact = issue.contact.isEmpty ? "it has no owner" : issue.contact
        let day = issue.expires?.description ?? ""
        self.init(.issueExpired, "the known issue \(issue.name) expired on \(day); \(contact)")
    }
}
