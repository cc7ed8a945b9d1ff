internal import Events
package import Harness
internal import Timeline

extension LogRule {
    /// The rules in a rule file; `Harness/rules/README.md` describes its keys.
    ///
    /// - Parameter path: The path of a YAML file.
    /// - Returns: The rules, in their order.
    /// - Throws: ``HarnessError`` for the first thing that is wrong, with file, line and key.
    package static func rules(fileAt path: String) throws(HarnessError) -> [LogRule] {
        var fields = try HarnessFile.fields(ofFileAt: path)
        let list = try fields.list("rules")
        try fields.finish()
        var rules: [LogRule] = []
        for entry in list { rules.append(try LogRule(entry)) }
        return rules
    }

    private init(_ source: HarnessFields) throws(HarnessError) {
        var fields = source
        id = try fields.requiredText("id")
        about = try fields.requiredText("about")
        if let pattern = try fields.fields("forbid") {
            demand = .forbid(try EventPattern(pattern))
        } else if let pattern = try fields.fields("require") {
            demand = .require(try EventPattern(pattern))
        } else if let outcomes = try fields.texts("background") {
            demand = .background(outcomes)
        } else {
            throw fields.error("forbid", "is missing; a rule has one of forbid, require, background")
        }
        scenarios = try fields.texts("scenarios")
        platforms = try fields.texts("platforms")
        networks = try fields.texts("networks")
        apps = try fields.texts("apps")
        headroom = try fields.number("headroom")
        try fields.finish()
    }
}

extension EventPattern {
    fileprivate init(_ source: HarnessFields) throws(HarnessError) {
        var fields = source
        kind = try fields.text("kind")
        level = try fields.word("level", of: EventLevel.self)?.rawValue
        self.source = try fields.word("source", of: EventSource.self)?.rawValue
        for pair in try fields.pairs("fields") { self.fields[pair.name] = pair.value }
        try fields.finish()
    }
}

extension KnownIssue {
    /// Reads a known issue; `Harness/known-issues/README.md` describes its keys.
    ///
    /// - Throws: ``HarnessError`` for the first thing that is wrong, with file, line and key.
    package init(fileAt path: String) throws(HarnessError) {
        var fields = try HarnessFile.fields(ofFileAt: path)
        name = try fields.requiredText("name")
        about = try fields.requiredText("about")
        rule = try fields.requiredText("rule")
        message = try fields.text("message") ?? ""
        try fields.finish()
    }
}
