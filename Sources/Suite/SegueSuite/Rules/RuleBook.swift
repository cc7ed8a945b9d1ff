package import SegueBase
package import SegueData
package import SegueEvents

/// The rules that logs are read against, and the known issues that excuse their breaking.
package struct RuleBook: Sendable {
    /// The rules, in the order in which findings of the same moment are listed.
    package let rules: [LogRule]

    /// The known issues.
    package let knownIssues: [KnownIssue]

    /// What each rule says, by its id; those that no rule file makes among them.
    package var abouts: [String: String] {
        rules.reduce(into: Finding.ownRules) { abouts, rule in abouts[rule.id] = rule.about }
    }

    /// The day on which known issues are judged; nil where nobody says, and none expires.
    private let today: CalendarDay?

    /// Rules and known issues.
    package init(rules: [LogRule], knownIssues: [KnownIssue], today: CalendarDay? = nil) {
        self.rules = rules
        self.knownIssues = knownIssues
        self.today = today
    }

    /// All rule files and known issues of a data folder, or those of a run's own.
    ///
    /// - Parameters:
    ///   - given: The files of the run, whose names rules may name too; its rule files are read in place of the
    ///     folder's, its known issues besides the folder's.
    /// - Throws: ``HarnessError`` for the first thing that is wrong in them.
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
                        message: "\(issue.name) stands in \(other.file == path ? "it twice" : other.file + " as well")"
                    )
                }
                issues.append(issue)
            }
        }
        self.init(rules: rules, knownIssues: issues, today: given?.today)
    }

    /// The rules of some files, and no known issues.
    ///
    /// - Parameters:
    ///   - files: Rule files, by name or path.
    ///   - given: The files of the run, whose names rules may name too.
    /// - Throws: ``HarnessError`` for the first thing that is wrong in them.
    package init(ruleFiles files: [String], in folder: HarnessFolder, given: DataPaths? = nil) throws(HarnessError) {
        let names = DataNames(folder: folder, given: given)
        self.init(rules: try RuleBook.rules(files, in: folder, names), knownIssues: [])
    }

    /// The names of all rules in a data folder.
    ///
    /// - Throws: ``HarnessError`` for the first thing that is wrong in its rule files.
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
                    throw HarnessError(file: path, key: "id", message: "\(rule.id) is a rule of another file as well")
                }
                rules.append(rule)
            }
        }
        return rules
    }

    /// What a case's log breaks of the rules.
    ///
    /// - Parameters:
    ///   - background: What became of the sound in the background; nil where the scenario has none.
    ///   - headroom: How many times faster than the stream's peak the network is.
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
    ///
    /// - Parameters:
    ///   - name: The case in which it was.
    ///   - tags: The tags of the case's title; files have none.
    /// - Returns: The verdict, and the findings with the known issues that cover them. One that is expired covers
    ///   nothing, and is a finding itself.
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
        // First, since it is what has changed.
        judged.insert(contentsOf: expired.map(Finding.init(expired:)), at: 0)
        let broken = judged.filter { !$0.isRemark }
        guard !broken.isEmpty else { return (.pass, judged) }
        return (broken.allSatisfy { $0.known != nil } ? .known : .fail, judged)
    }
}

extension Finding {
    /// What is found where a known issue that is expired would have covered something.
    fileprivate init(expired issue: KnownIssue) {
        let contact = issue.contact.isEmpty ? "nobody is named as its owner" : issue.contact
        let day = issue.expires?.description ?? ""
        self.init(.issueExpired, "the known issue \(issue.name) expired on \(day); \(contact)")
    }
}
