package import SegueData

extension Condition {
    /// Reads a condition from the keys of a mapping, all of which must hold.
    ///
    /// - Parameters:
    ///   - scope: The valid names and labels.
    /// - Throws: `HarnessError` with the file, the line, and the key.
    package init(_ source: HarnessFields, _ scope: ConditionScope) throws(HarnessError) {
        var fields = source
        var parts: [Condition] = []
        for subject in NumberSubject.allCases {
            guard let text = try fields.text(subject.rawValue) else { continue }
            parts.append(.number(subject, try fields.comparison(subject.rawValue, text, names: scope.names)))
        }
        for subject in WordSubject.allCases {
            let words = try fields.oneOrMoreTexts(subject.rawValue)
            guard !words.isEmpty else { continue }
            if let choices = subject.choices, let wrong = words.first(where: { !choices.contains($0) }) {
                throw fields.error(subject.rawValue, UnknownName(wrong, among: choices).description)
            }
            parts.append(.word(subject, words))
        }
        for subject in FlagSubject.allCases {
            if let value = try fields.flag(subject.rawValue) { parts.append(.flag(subject, value)) }
        }
        if var counted = try fields.fields("events") {
            let text = try counted.text("count") ?? "> 0"
            let count = try counted.comparison("count", text, names: scope.names)
            let since = try counted.text("since")
            if let since, !scope.labels.contains(since) {
                throw counted.error("since", UnknownName(since, among: Array(scope.labels)).description)
            }
            let match = try EventMatch(counted, names: scope.names)
            guard scope.hears(match) else { throw fields.error("events", "no app receives \(match)") }
            parts.append(.events(match, count, since: since))
        }
        for (key, make) in [("all", Condition.all), ("any", Condition.any)] where fields.has(key) {
            var inner: [Condition] = []
            for entry in try fields.list(key) { inner.append(try Condition(entry, scope.deeper(entry))) }
            guard !inner.isEmpty else { throw fields.error(key, "must have at least one condition") }
            parts.append(make(inner))
        }
        if let inner = try fields.fields("not") { parts.append(.not(try Condition(inner, scope.deeper(inner)))) }
        try fields.finish()
        guard let first = parts.first else {
            throw HarnessError(file: fields.file, line: fields.line, key: fields.path, message: "contains no condition")
        }
        self = parts.count == 1 ? first : .all(parts)
    }
}
