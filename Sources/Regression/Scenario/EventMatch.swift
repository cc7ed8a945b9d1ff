internal import Harness
internal import Timeline

/// What an event must be for a step that waits for it or counts it.
package struct EventMatch: Sendable, Equatable, CustomStringConvertible {
    enum Demand: Sendable, Equatable {
        case text(String)
        case number(Comparison)
    }

    /// Its name, such as `item.stalled`.
    let kind: String

    /// What fields of it must be, in order of their names.
    let fields: [(name: String, demand: Demand)]

    package static func == (left: EventMatch, right: EventMatch) -> Bool {
        left.kind == right.kind
            && left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.demand == $1.demand }
    }

    package var description: String {
        let parts = fields.map { name, demand in
            switch demand {
            case .text(let text): "\(name) \(text)"
            case .number(let comparison): "\(name) \(comparison)"
            }
        }
        return ([kind] + parts).joined(separator: ", ")
    }

    /// Whether an event is one.
    func matches(_ event: Event, _ lookup: (String) -> Double?) -> Bool {
        guard event.kind.name == kind else { return false }
        guard !fields.isEmpty else { return true }
        let values = event.kind.record.fields
        return fields.allSatisfy { name, demand in
            values.contains { $0.name == name && EventMatch.meets($0.value, demand, lookup) }
        }
    }

    private static func meets(_ value: EventValue, _ demand: Demand, _ lookup: (String) -> Double?) -> Bool {
        switch (value, demand) {
        case (.integer(let value), .number(let comparison)): comparison.holds(Double(value), lookup) ?? false
        case (.number(let value), .number(let comparison)): comparison.holds(value, lookup) ?? false
        case (_, .text(let text)): value.plain == text
        default: false
        }
    }

    /// The fields of each kind of event, by its name.
    private static let vocabulary: [String: [EventField]] = {
        var fields: [String: [EventField]] = [:]
        for example in EventCatalogue.examples { fields[example.record.name] = example.record.fields }
        return fields
    }()

    /// Reads a match from the keys that are left of a mapping, after its `kind` was taken.
    ///
    /// - Parameters:
    ///   - kind: The name of the kind.
    ///   - key: The key that says the kind, for errors.
    ///   - source: The mapping; all that is left in it are fields of the event.
    ///   - names: The names that expressions may have.
    ///   - isAlone: Whether the kind is all that is said, so that the mapping's other keys are none of its business.
    /// - Throws: `HarnessError` for a kind or a field that is not there.
    init(kind: String, at key: String, in source: HarnessFields, names: Set<String>, isAlone: Bool = false)
        throws(HarnessError)
    {
        guard let known = EventMatch.vocabulary[kind] else {
            throw source.error(key, UnknownName(kind, among: Array(EventMatch.vocabulary.keys)).description)
        }
        self.kind = kind
        var entry = source
        var fields: [(name: String, demand: Demand)] = []
        for field in isAlone ? [] : known.sorted(by: { $0.name < $1.name }) {
            guard let text = try entry.text(field.name) else { continue }
            switch field.value {
            case .text, .flag: fields.append((field.name, .text(text)))
            case .integer, .number:
                fields.append((field.name, .number(try entry.comparison(field.name, text, names: names))))
            }
        }
        if !isAlone { try entry.finish() }
        self.fields = fields
    }
}

extension HarnessFields {
    /// Reads a comparison that was taken out of a key.
    func comparison(_ key: String, _ text: String, names: Set<String>) throws(HarnessError) -> Comparison {
        do throws(ExpressionError) {
            return try Comparison(text, names: names)
        } catch {
            throw self.error(key, error.description)
        }
    }

    /// Takes out an expression; nil where the key is missing.
    mutating func expression(_ key: String, names: Set<String>) throws(HarnessError) -> Expression? {
        guard let text = try text(key) else { return nil }
        do throws(ExpressionError) {
            return try Expression(text, names: names)
        } catch {
            throw self.error(key, error.description)
        }
    }

    /// Takes out an expression that must be there, and must not be negative where it is a constant.
    mutating func requiredExpression(_ key: String, names: Set<String>) throws(HarnessError) -> Expression {
        guard let expression = try expression(key, names: names) else { throw error(key, "is missing") }
        return try checked(expression, key)
    }

    /// Takes out an expression that must not be negative where it is a constant.
    mutating func optionalExpression(_ key: String, names: Set<String>) throws(HarnessError) -> Expression? {
        guard let expression = try expression(key, names: names) else { return nil }
        return try checked(expression, key)
    }

    /// Takes out an expression of seconds to wait, which must not be longer than a step may take where it is a constant.
    mutating func optionalWait(_ key: String, names: Set<String>) throws(HarnessError) -> Expression? {
        let expression = try optionalExpression(key, names: names)
        if let value = expression?.constant, value > Scenario.longestWait {
            throw error(key, "must be \(Int(Scenario.longestWait)) seconds at the most")
        }
        return expression
    }

    /// Takes out an expression of a rate, which must be 0 or one that a player may play at where it is a constant.
    mutating func requiredRate(_ key: String, names: Set<String>) throws(HarnessError) -> Expression {
        let expression = try requiredExpression(key, names: names)
        if let value = expression.constant, value != 0, !Scenario.rates.contains(value) {
            throw error(
                key,
                "must be 0 or a rate from \(Scenario.rates.lowerBound) to \(Int(Scenario.rates.upperBound))"
            )
        }
        return expression
    }

    private func checked(_ expression: Expression, _ key: String) throws(HarnessError) -> Expression {
        if let value = expression.constant, value < 0 { throw error(key, "must not be negative") }
        return expression
    }
}
