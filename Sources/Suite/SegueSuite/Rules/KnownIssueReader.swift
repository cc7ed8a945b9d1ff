internal import SegueBase
package import SegueData

extension KnownIssue {
    /// Reads the known issues of a file: one, or a list `known-issues`.
    ///
    /// `Harness/known-issues/README.md` describes the keys.
    ///
    /// `rules` are the known rules; nil skips the check. `names` are the known names of data files; nil skips the check.
    ///
    /// - Throws: ``HarnessError`` for the first error, with file, line, and key.
    package static func issues(
        fileAt path: String,
        rules: [String]? = nil,
        names: DataNames? = nil
    ) throws(HarnessError) -> [KnownIssue] {
        var fields = try HarnessFile.fields(ofFileAt: path)
        guard fields.has("known-issues") else { return [try KnownIssue(fields, rules: rules, names: names)] }
        let list = try fields.list("known-issues")
        guard !list.isEmpty else { throw fields.error("known-issues", "has no entries") }
        try fields.finish()
        var issues: [KnownIssue] = []
        for entry in list { issues.append(try KnownIssue(entry, rules: rules, names: names)) }
        return issues
    }

    private init(_ source: HarnessFields, rules: [String]?, names: DataNames?) throws(HarnessError) {
        var fields = source
        guard let name = try fields.text("name") else { throw fields.missing("name", among: Self.keys) }
        self.init(name: name, about: try fields.requiredText("about"), rule: try fields.requiredText("rule"))
        file = fields.file
        if let known = rules.map({ $0 + Finding.ownRules.keys.sorted() }), !known.contains(rule) {
            throw fields.error("rule", UnknownName(rule, among: known).description)
        }
        guard rule != Finding.Own.issueExpired.rawValue else {
            throw fields.error("rule", "is the rule for expired known issues, which cannot be excused")
        }
        message = try fields.text("message") ?? ""
        scope = try CaseScope(&fields, names)
        owner = try fields.text("owner")
        link = try fields.text("link")
        if let link, !link.hasPrefix("https://"), !link.hasPrefix("http://") {
            throw fields.error("link", "is \(link), must be an address such as https://tracker.example/123")
        }
        since = try Self.day("since", &fields)
        expires = try Self.day("expires", &fields)
        if let since, let expires, expires < since {
            throw fields.error("expires", "is \(expires), before since (\(since))")
        }
        isStanding = try fields.flag("standing") ?? false
        if isStanding, expires != nil { throw fields.error("standing", "cannot be combined with expires") }
        try fields.finish()
    }

    private static func day(_ key: String, _ fields: inout HarnessFields) throws(HarnessError) -> CalendarDay? {
        guard let text = try fields.text(key) else { return nil }
        guard let day = CalendarDay(text) else {
            throw fields.error(key, "is \(text), must be \(CalendarDay.shape), year first")
        }
        return day
    }

    private static let keys = [
        "name", "about", "rule", "message", "titles", "tags", "scenarios", "platforms", "networks", "apps", "owner",
        "link", "since", "expires", "standing",
    ]
}
