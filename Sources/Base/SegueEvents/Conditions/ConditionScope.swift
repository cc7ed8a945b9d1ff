package import SegueData

/// The names that conditions and expressions may use.
package struct ConditionScope {
    private static let deepest = 8

    /// The names for expressions.
    package var names: Set<String> = Set(Condition.NumberSubject.allCases.map(\.rawValue))

    /// The labels of steps, or the names of reactions.
    package var labels: Set<String> = []

    /// True if the reader of the condition receives such events at all.
    package var hears: (EventMatch) -> Bool = { _ in true }

    private var depth = 0

    /// Creates a scope with the numbers of a session and without labels.
    package init() {}

    /// Returns the scope of a nested condition.
    ///
    /// - Throws: `HarnessError` if the nesting is too deep.
    func deeper(_ fields: HarnessFields) throws(HarnessError) -> ConditionScope {
        guard depth < Self.deepest else {
            throw HarnessError(
                file: fields.file,
                line: fields.line,
                key: fields.path,
                message: "conditions are nested more than \(Self.deepest) deep"
            )
        }
        var scope = self
        scope.depth += 1
        return scope
    }

    /// Adds a name for a value.
    ///
    /// - Throws: `HarnessError` for a name that has a meaning already or is invalid in an expression.
    package mutating func add(_ name: String, at key: String, in fields: HarnessFields) throws(HarnessError) {
        let subjects = Condition.NumberSubject.allCases.map(\.rawValue)
        guard !subjects.contains(name), Expression.Function(rawValue: name) == nil else {
            throw fields.error(key, "the name \(name) is already in use; choose another name")
        }
        guard name.first?.isLetter == true, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw fields.error(key, "\(name) must be a letter followed by letters and digits")
        }
        names.insert(name)
    }
}
