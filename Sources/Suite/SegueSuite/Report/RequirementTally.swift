internal import SegueComparison

/// The violated requirements of specifications that fail no case, for the end of a report.
struct RequirementTally {
    private struct Entry {
        let words: String
        var titles: Set<String> = []
    }

    /// The number of rules that are listed.
    private static let mostRules = 12

    private var recommended: [String: Entry] = [:]
    private var order: [String] = []
    private var uncounted: (must: Set<String>, should: Set<String>, titles: Set<String>) = ([], [], [])

    mutating func add(_ result: CaseResult) {
        for finding in result.findings {
            guard let requirement = finding.requirement, !requirement.isViolation else { continue }
            let file = result.name.file
            guard requirement.isCounted else {
                let key = "\(file)\u{1F}\(finding.rule)"
                if requirement.isMust { uncounted.must.insert(key) } else { uncounted.should.insert(key) }
                uncounted.titles.insert(file)
                continue
            }
            if recommended[finding.rule] == nil {
                order.append(finding.rule)
                recommended[finding.rule] = Entry(words: finding.words)
            }
            recommended[finding.rule]?.titles.insert(file)
        }
    }

    /// The requirements that should be fixed, a line for each rule, and the numbers of those of Apple only.
    var lines: [String] {
        var lines: [String] = []
        if !order.isEmpty {
            lines.append("should fix, not failures:")
            for rule in order.prefix(Self.mostRules) {
                guard let entry = recommended[rule], let title = entry.titles.min() else { continue }
                let more = entry.titles.count > 1 ? " and \(entry.titles.count - 1) more" : ""
                lines.append("  \(entry.words) [\(title)\(more)]")
            }
            if order.count > Self.mostRules { lines.append("  … and \(order.count - Self.mostRules) rules more") }
        }
        if !uncounted.titles.isEmpty {
            let count = uncounted.titles.count
            lines.append(
                "only in Apple's authoring specification, not counted: \(uncounted.must.count) must and "
                    + "\(uncounted.should.count) should fix in \(count) title\(count == 1 ? "" : "s"); --profile apple counts them"
            )
        }
        return lines
    }
}
