/// What a number is to be: `20`, `20 +- 0.5`, `>= duration - 1`, `!= 0`.
package struct Comparison: Sendable, Equatable, CustomStringConvertible {
    package enum Operator: String, Sendable, CaseIterable {
        // The longer ones first, since they begin as the shorter ones do.
        case least = ">="
        case most = "<="
        case other = "!="
        case above = ">"
        case below = "<"
        case equal = "="
    }

    /// How far apart numbers may be that are taken as equal where nothing else is said.
    package static let usualTolerance = 0.001

    let relation: Operator

    /// What it is compared with.
    package let value: Expression

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
    ///   - isExact: Whether only numbers that are to be equal may differ where no tolerance is written: what is looked for
    ///     all the time is met when it comes to hold, and not a moment before.
    ///   - precision: How far off the number may be, by how it is known.
    ///   - lookup: The values of names.
    /// - Returns: Nil where the expressions have no value.
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

    /// Half a nanosecond, since sums of decimals are not exact.
    static let half = 5e-10

    /// How far apart numbers may be where nothing is said.
    func usualSlack(isExact: Bool) -> Double {
        switch relation {
        case .equal, .other: Comparison.usualTolerance
        case .least, .most, .above, .below: isExact ? 0 : Comparison.usualTolerance
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
