package import SegueData

/// What conditions and expressions may name.
package struct ConditionScope {
    private static let deepest = 8

    /// The names that expressions may have.
    package var names: Set<String> = Set(Condition.NumberSubject.allCases.map(\.rawValue))

    /// The labels of steps, or the names of reactions.
    package var labels: Set<String> = []

    /// Whether whoever asks is told of such events at all.
    package var hears: (EventMatch) -> Bool = { _ in true }

    private var depth = 0

    /// The numbers of a session, and no labels.
    package init() {}

    /// The scope of a condition within another.
    ///
    /// - Throws: `HarnessError` where there are too many within each other.
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

    /// Adds a name that is given to a value.
    ///
    /// - Throws: `HarnessError` for one that means something already, or cannot be written in an expression.
    package mutating func add(_ name: String, at key: String, in fields: HarnessFields) throws(HarnessError) {
        let subjects = Condition.NumberSubject.allCases.map(\.rawValue)
        guard !subjects.contains(name), Expression.Function(rawValue: name) == nil else {
            throw fields.error(key, "\(name) has a meaning already; choose another name")
        }
        guard name.first?.isLetter == true, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw fields.error(key, "\(name) must be a letter followed by letters and digits")
        }
        names.insert(name)
    }
}
