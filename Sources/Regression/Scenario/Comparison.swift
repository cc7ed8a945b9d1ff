/// What a number is to be: `20`, `20 +- 0.5`, `>= duration - 1`, `!= 0`.
package struct Comparison: Sendable, Equatable, CustomStringConvertible {
    enum Operator: String, Sendable, CaseIterable {
        // The longer ones first, since they begin as the shorter ones do.
        case least = ">="
        case most = "<="
        case other = "!="
        case above = ">"
        case below = "<"
        case equal = "="
    }

    /// How far apart numbers may be that are taken as equal where nothing else is said.
    static let usualTolerance = 0.001

    let relation: Operator
    let value: Expression
    let tolerance: Expression?

    /// Reads a comparison.
    ///
    /// - Parameters:
    ///   - text: A relation (equality where there is none), an expression, and perhaps `+-` and a tolerance.
    ///   - names: The names that the expressions may have.
    /// - Throws: ``ExpressionError`` with what is wrong.
    package init(_ text: String, names: Set<String>) throws(ExpressionError) {
        let relation = Operator.allCases.first { text.hasPrefix($0.rawValue) }
        let rest = relation.map { text.dropFirst($0.rawValue.count) } ?? text[...]
        self.relation = relation ?? .equal
        let parts = rest.split(separator: "+-", maxSplits: 1, omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " })
        }
        value = try Expression(parts[0], names: names)
        tolerance = parts.count == 2 ? try Expression(parts[1], names: names) : nil
    }

    package var description: String {
        let sign = relation == .equal ? "" : "\(relation.rawValue) "
        return sign + value.text.trimmed + (tolerance.map { " +- \($0.text)" } ?? "")
    }

    /// Whether a number is what it is to be.
    ///
    /// - Parameters:
    ///   - found: The number.
    ///   - lookup: The values of names.
    /// - Returns: Nil where the expressions have no value.
    func holds(_ found: Double, _ lookup: (String) -> Double?) -> Bool? {
        guard let value = value.value(lookup) else { return nil }
        var slack = Comparison.usualTolerance
        if let tolerance {
            guard let given = tolerance.value(lookup) else { return nil }
            slack = given
        }
        // Half a nanosecond more, since sums of decimals are not exact.
        let isNear = abs(found - value) <= slack + 5e-10
        switch relation {
        case .equal: return isNear
        case .other: return !isNear
        case .least: return found >= value || isNear
        case .most: return found <= value || isNear
        case .above: return found > value
        case .below: return found < value
        }
    }
}

extension String {
    /// The text without spaces at its ends.
    fileprivate var trimmed: String {
        var text = self[...].drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
