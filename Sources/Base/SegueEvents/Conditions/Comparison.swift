/// A requirement on a number: `20`, `20 +- 0.5`, `>= duration - 1`, `!= 0`.
package struct Comparison: Sendable, Equatable, CustomStringConvertible {
    package enum Operator: String, Sendable, CaseIterable {
        // Longer symbols first, as they begin with the shorter ones.
        case least = ">="
        case most = "<="
        case other = "!="
        case above = ">"
        case below = "<"
        case equal = "="
    }

    /// The default tolerance of equality.
    package static let usualTolerance = 0.001

    let relation: Operator

    /// The expected value.
    package let value: Expression

    let tolerance: Expression?

    /// Reads a comparison.
    ///
    /// - Parameters:
    ///   - text: A relation (equality by default), an expression, and optionally `+-` and a tolerance.
    ///   - names: The names that the expressions may use.
    /// - Throws: ``ExpressionError`` for an invalid text.
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

    /// Returns whether a number meets the comparison.
    ///
    /// - Parameters:
    ///   - isExact: True if the default tolerance applies to equality only. A condition that is checked continuously
    ///     holds from its exact moment on.
    ///   - precision: The tolerance of the number's own source.
    ///   - lookup: The values of names.
    /// - Returns: Nil if an expression has no value.
    package func holds(
        _ found: Double,
        isExact: Bool = false,
        within precision: Double = 0,
        _ lookup: (String) -> Double?
    ) -> Bool? {
        guard let value = value.value(lookup) else { return nil }
        var slack = usualSlack(isExact: isExact)
        if let tolerance {
            guard let given = tolerance.value(lookup) else { return nil }
            slack = given
        }
        slack += precision
        let isNear = abs(found - value) <= slack + Comparison.half
        switch relation {
        case .equal: return isNear
        case .other: return !isNear
        case .least: return found >= value || isNear
        case .most: return found <= value || isNear
        case .above: return found > value - precision
        case .below: return found < value + precision
        }
    }

    /// Half a nanosecond, as sums of decimals are not exact.
    static let half = 5e-10

    /// The default tolerance.
    func usualSlack(isExact: Bool) -> Double {
        switch relation {
        case .equal, .other: Comparison.usualTolerance
        case .least, .most, .above, .below: isExact ? 0 : Comparison.usualTolerance
        }
    }
}

extension String {
    /// The text without surrounding spaces.
    fileprivate var trimmed: String {
        var text = self[...].drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
