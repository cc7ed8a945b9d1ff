package import SegueBase
package import SegueEvents

/// The state of a session at one instant, for conditions and expressions.
///
/// It is a class because it is large and read often.
package final class SessionFacts {
    /// Counts matching events since a label, or since the beginning.
    package typealias EventCount = (SessionFacts, EventMatch, String?) -> Int

    private let session: any SessionUnderTest
    private let now: Instant
    private let definitions: [Definition]
    private let count: EventCount
    private var values: [String: Double]

    /// The facts of an instant.
    ///
    /// - Parameters:
    ///   - session: The session at or before that instant, if nothing happens between.
    ///   - values: The values of names: counters and stored values.
    ///   - definitions: Names for expressions, each of which may use the preceding ones.
    package init(
        _ session: any SessionUnderTest,
        at now: Instant,
        values: [String: Double],
        definitions: [Definition] = [],
        count: @escaping EventCount
    ) {
        (self.session, self.now, self.values, self.definitions) = (session, now, values, definitions)
        self.count = count
    }

    package func value(of expression: Expression) -> Double? { expression.value(lookUp) }

    /// Returns the value of an expression as a duration, if it has one.
    package func duration(of expression: Expression) -> Duration? {
        value(of: expression).map { .nanoseconds(Int64((min(max($0, -1e9), 1e9) * 1e9).rounded())) }
    }

    /// Returns the value of an expression as a waiting time, limited to that of a step, if it has one.
    package func wait(of expression: Expression) -> Duration? {
        duration(of: expression).map { min($0, .seconds(ExpressionBounds.longestWait)) }
    }

    package func matches(_ event: Event, _ match: EventMatch) -> Bool { match.matches(event, lookUp) }

    /// Returns the number of events since a label, or since the beginning.
    func number(of match: EventMatch, since: String?) -> Int { count(self, match, since) }

    /// Describes the first part of a condition that is false; nil if the condition is true.
    ///
    /// Parts that a real player's driver cannot observe are not evaluated.
    package func unmet(_ condition: Condition) -> Message? {
        switch condition {
        case .number(let subject, _) where session.isUnreported(subject): return nil
        case .flag(let subject, _) where session.isUnreported(subject): return nil
        case .word(let subject, _) where session.isUnreported(subject): return nil
        case .number(let subject, let comparison):
            let slack = session.precision(of: subject).seconds
            return unmet(subject.rawValue, found: number(subject), comparison, slack: slack)
        case .word(let subject, let words):
            let found = word(subject)
            return has(words, subject) ? nil : "expected \(condition), found \(found.isEmpty ? "none" : found)"
        case .flag(let subject, let wanted):
            guard let found = flag(subject) else { return "expected \(condition), but there is no item" }
            return found == wanted ? nil : "expected \(condition), found \(found ? "" : "not ")\(subject.rawValue)"
        case .events(let match, _, _) where session.isUnreported(match): return nil
        case .events(let match, let count, let since):
            let number = number(of: match, since: since)
            return unmet("the number of \(match)\(since.map { " since \($0)" } ?? "")", found: Double(number), count)
        case .all(let parts): return parts.lazy.compactMap { self.unmet($0) }.first
        case .any(let parts):
            let reasons = parts.map { unmet($0) }
            return reasons.contains(nil) ? nil : reasons.compactMap(\.self).joined(separator: "; nor: ")
        case .not(let part): return unmet(part) == nil ? "expected \(condition), found that it holds" : nil
        }
    }

    private func unmet(_ name: String, found: Double?, _ comparison: Comparison, slack: Double = 0) -> Message? {
        guard let found else { return "expected \(name) \(comparison), which is not known" }
        guard let holds = comparison.holds(found, within: slack, lookUp) else {
            return "expected \(name) \(comparison), which has no value yet"
        }
        guard !holds else { return nil }
        let isLiteral = comparison.value.constant != nil
        let value: Message = isLiteral ? "" : value(of: comparison.value).map { " (\($0, places: 6))" } ?? ""
        return "expected \(name) \(comparison)\(value), found \(found, places: 6)"
    }

    func has(_ words: [String], _ subject: Condition.WordSubject) -> Bool {
        let found = word(subject)
        return subject == .error ? words.contains { found.contains($0) } : words.contains(found)
    }

    /// Returns the value of a name, if it has one.
    func lookUp(_ name: String) -> Double? {
        if let value = values[name] { return value }
        if let subject = Condition.NumberSubject(rawValue: name) { return number(subject) }
        guard let definition = definitions.first(where: { $0.name == name }) else { return nil }
        // Evaluates each definition once, however many others use it.
        let value = value(of: definition.value)
        values[name] = value
        return value
    }

    /// Returns the value of a number, if it is known.
    func number(_ subject: Condition.NumberSubject) -> Double? { session.number(subject, at: now) }

    private func word(_ subject: Condition.WordSubject) -> String { session.word(subject) }

    /// Returns a truth value; nil without an item.
    func flag(_ subject: Condition.FlagSubject) -> Bool? { session.flag(subject) }
}
