internal import SegueBase
package import SegueData
internal import SegueEvents
internal import SeguePlayerModel

extension LogRule {
    /// Reads a rule file; `Harness/rules/README.md` describes its keys.
    ///
    /// `names` are the known names of data files; nil skips the check.
    ///
    /// - Throws: ``HarnessError`` for the first error, with file, line, and key.
    package static func rules(fileAt path: String, names: DataNames? = nil) throws(HarnessError) -> [LogRule] {
        var fields = try HarnessFile.fields(ofFileAt: path)
        guard fields.has("rules") else { throw fields.missing("rules", among: ["rules"]) }
        let list = try fields.list("rules")
        if list.isEmpty { throw fields.error("rules", "has no entries") }
        try fields.finish()
        var rules: [LogRule] = []
        for entry in list {
            let rule = try LogRule(entry, names)
            guard !rules.contains(where: { $0.id == rule.id }) else {
                throw entry.error("id", "\(rule.id) is defined twice; each rule needs its own id")
            }
            rules.append(rule)
        }
        return rules
    }

    private init(_ source: HarnessFields, _ names: DataNames?) throws(HarnessError) {
        var fields = source
        id = try fields.requiredText("id")
        about = try fields.requiredText("about")
        demand = try Demand(&fields)
        scope = try CaseScope(&fields, names)
        headroom = try fields.number("headroom")
        try fields.finish()
    }
}

extension LogRule.Demand {
    fileprivate init(_ fields: inout HarnessFields) throws(HarnessError) {
        let given = ["forbid", "require", "background", "budget"].filter { fields.has($0) }
        if given.count > 1 { throw fields.error(given[1], "cannot be combined with \(given[0]); write two rules") }
        if let match = try fields.fields("forbid") {
            self = .forbid(try EventMatch(match, names: []))
        } else if let match = try fields.fields("require") {
            self = .require(try EventMatch(match, names: []))
        } else if let outcomes = try fields.texts("background") {
            let known = BackgroundOutcome.allCases.map(\.rawValue)
            if let wrong = outcomes.first(where: { !known.contains($0) }) {
                throw fields.error("background", UnknownName(wrong, among: known).description)
            }
            self = .background(outcomes)
        } else if let budgets = try fields.fields("budget") {
            let list = try Budget.budgets(in: budgets)
            guard !list.isEmpty else {
                throw fields.error("budget", "is empty; it needs metrics with their limits")
            }
            self = .budget(list)
        } else {
            let error = fields.missing("forbid", among: LogRule.keys)
            guard error.key.hasSuffix("forbid") else { throw error }
            throw fields.error("forbid", "is missing; a rule has one of forbid, require, background, budget")
        }
    }
}

extension LogRule {
    fileprivate static let keys = [
        "id", "about", "forbid", "require", "background", "budget", "titles", "tags", "scenarios", "platforms",
        "networks", "apps", "headroom",
    ]
}
