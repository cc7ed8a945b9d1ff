package import SegueData

/// A name for a value.
package struct Definition: Sendable, Equatable {
    package let name: String

    package let value: Expression

    /// Consumes a mapping from names to values, each of which may use the names before it.
    ///
    /// - Parameters:
    ///   - key: The key of the mapping; if it is missing, nothing is defined.
    ///   - fields: The fields that contain the mapping.
    ///   - scope: The known names, to which these are added.
    /// - Returns: The definitions, in order.
    /// - Throws: `HarnessError` for an invalid expression or name.
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
