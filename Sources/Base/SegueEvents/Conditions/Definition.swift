package import SegueData

/// A name with its value.
package struct Definition: Sendable, Equatable {
    /// The name.
    package let name: String

    /// What it stands for.
    package let value: Expression

    /// Takes out the names that a mapping gives to values, each of which may use those before it.
    ///
    /// - Parameters:
    ///   - key: The key of the mapping; nothing is defined where it is missing.
    ///   - fields: What the mapping is taken out of.
    ///   - scope: The names there are, to which these are added.
    /// - Returns: The names with their values, in order.
    /// - Throws: `HarnessError` for a value that is no expression, and for a name that none may have.
    package static func list(_ key: String, in fields: inout HarnessFields, _ scope: inout ConditionScope)
        throws(HarnessError) -> [Definition]
    {
        var definitions: [Definition] = []
        for pair in try fields.pairs(key) {
            let value: Expression
            do throws(ExpressionError) {
                value = try Expression(pair.value, names: scope.names)
            } catch {
                throw fields.error(key, "\(pair.name) \(error)")
            }
            try scope.add(pair.name, at: key, in: fields)
            definitions.append(Definition(name: pair.name, value: value))
        }
        return definitions
    }
}
