package import SegueData

extension HarnessFields {
    /// Reads the comparison that is the value of a key.
    package func comparison(_ key: String, _ text: String, names: Set<String>) throws(HarnessError) -> Comparison {
        do throws(ExpressionError) {
            return try Comparison(text, names: names)
        } catch {
            throw self.error(key, error.description)
        }
    }

    /// Consumes an expression; nil for a missing key.
    package mutating func expression(_ key: String, names: Set<String>) throws(HarnessError) -> Expression? {
        guard let text = try text(key) else { return nil }
        do throws(ExpressionError) {
            return try Expression(text, names: names)
        } catch {
            throw self.error(key, error.description)
        }
    }

    /// Consumes a required expression, which must not be negative if it is constant.
    package mutating func requiredExpression(_ key: String, names: Set<String>) throws(HarnessError) -> Expression {
        guard let expression = try expression(key, names: names) else { throw error(key, "is missing") }
        return try checked(expression, key)
    }

    /// Consumes an expression, which must not be negative if it is constant.
    package mutating func optionalExpression(_ key: String, names: Set<String>) throws(HarnessError) -> Expression? {
        guard let expression = try expression(key, names: names) else { return nil }
        return try checked(expression, key)
    }

    /// Consumes an expression of seconds to wait, which must not exceed the limit of a step if it is constant.
    package mutating func optionalWait(_ key: String, names: Set<String>) throws(HarnessError) -> Expression? {
        let expression = try optionalExpression(key, names: names)
        if let value = expression?.constant, value > ExpressionBounds.longestWait {
            throw error(key, "must be at most \(Int(ExpressionBounds.longestWait)) seconds")
        }
        return expression
    }

    /// Consumes an expression of a rate, which must be 0 or a valid rate if it is constant.
    package mutating func requiredRate(_ key: String, names: Set<String>) throws(HarnessError) -> Expression {
        let expression = try requiredExpression(key, names: names)
        if let value = expression.constant, value != 0, !ExpressionBounds.rates.contains(value) {
            throw error(
                key,
                "must be 0 or a rate from \(ExpressionBounds.rates.lowerBound) to \(Int(ExpressionBounds.rates.upperBound))"
            )
        }
        return expression
    }

    private func checked(_ expression: Expression, _ key: String) throws(HarnessError) -> Expression {
        if let value = expression.constant, value < 0 { throw error(key, "must not be negative") }
        return expression
    }
}
