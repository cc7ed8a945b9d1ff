internal import Events
package import Harness
internal import Player
internal import Timeline

extension LogRule {
    /// The rules in a rule file; `Harness/rules/README.md` describes its keys.
    ///
    /// - Parameters:
    ///   - path: The path of a YAML file.
    ///   - names: The scenarios, platforms, networks and app policies that there are; nil where nothing is known of them.
    /// - Returns: The rules, in their order.
    /// - Throws: ``HarnessError`` for the first thing that is wrong, with file, line and key.
    package static func rules(fileAt path: String, names: DataNames? = nil) throws(HarnessError) -> [LogRule] {
        var fields = try HarnessFile.fields(ofFileAt: path)
        let list = try fields.list("rules")
        try fields.finish()
        var rules: [LogRule] = []
        for entry in list { rules.append(try LogRule(entry, names)) }
        return rules
    }

    private init(_ source: HarnessFields, _ names: DataNames?) throws(HarnessError) {
        var fields = source
        id = try fields.requiredText("id")
        about = try fields.requiredText("about")
        demand = try Demand(&fields)
        scenarios = try fields.names("scenarios", of: .scenarios, names)
        platforms = try fields.names("platforms", of: .platforms, names)
        networks = try fields.names("networks", of: .networks, names)
        apps = try fields.names("apps", of: .apps, names)
        tags = try fields.texts("tags")
        if let tags, tags.isEmpty {
            throw fields.error("tags", "is empty, so the rule never holds; leave it out for all")
        }
        headroom = try fields.number("headroom")
        try fields.finish()
    }
}

extension LogRule.Demand {
    fileprivate init(_ fields: inout HarnessFields) throws(HarnessError) {
        let given = ["forbid", "require", "background", "budget"].filter { fields.has($0) }
        if given.count > 1 { throw fields.error(given[1], "and \(given[0]) must be rules of their own") }
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
                throw fields.error("budget", "is empty; it takes metrics with what they must be")
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
        "id", "about", "forbid", "require", "background", "budget", "scenarios", "platforms", "networks", "apps",
        "tags",
        "headroom",
    ]
}

extension HarnessFields {
    /// Takes out the names for which a rule holds, each of which must be there; nil for all.
    fileprivate mutating func names(_ key: String, of kind: HarnessFolder.Kind, _ known: DataNames?)
        throws(HarnessError) -> [String]?
    {
        guard let names = try texts(key) else { return nil }
        guard !names.isEmpty else { throw error(key, "is empty, so the rule never holds; leave it out for all") }
        for name in names {
            if let unknown = known?.unknown(name, of: kind) { throw error(key, unknown.description) }
        }
        return names
    }
}

extension KnownIssue {
    /// Reads a known issue; `Harness/known-issues/README.md` describes its keys.
    ///
    /// - Parameters:
    ///   - path: The path of a YAML file.
    ///   - rules: The rules that rule files have; nil where nothing is known of them.
    /// - Throws: ``HarnessError`` for the first thing that is wrong, with file, line and key.
    package init(fileAt path: String, rules: [String]? = nil) throws(HarnessError) {
        var fields = try HarnessFile.fields(ofFileAt: path)
        name = try fields.requiredText("name")
        about = try fields.requiredText("about")
        rule = try fields.requiredText("rule")
        message = try fields.text("message") ?? ""
        if let rules {
            let known = rules + Finding.ownNames
            guard known.contains(rule) else {
                throw fields.error("rule", UnknownName(rule, among: known).description)
            }
        }
        try fields.finish()
    }
}
