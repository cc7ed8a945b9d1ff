internal import SegueBase

/// A rule with the function that finds its violations in a subject.
struct Check<Subject>: Sendable {
    let rule: Rule
    let violations: @Sendable (Subject) -> [Violation]

    init(_ rule: Rule, _ violations: @escaping @Sendable (Subject) -> [Violation]) {
        (self.rule, self.violations) = (rule, violations)
    }

    func findings(_ subject: Subject) -> [BrokenRule] {
        let all = violations(subject)
        let kept = all.prefix(Violation.limit).map {
            BrokenRule(rule: rule, place: $0.place, message: $0.message, comparison: $0.comparison)
        }
        guard all.count > kept.count else { return kept }
        return kept + [BrokenRule(rule: rule, place: all[kept.count].place, message: "further occurrences omitted")]
    }
}

/// The result of a check at one place, without the rule.
struct Violation {
    /// The maximum number of findings of one rule in one subject, as a bound for hostile input.
    static let limit = 10_000

    let place: Place
    let message: Message
    /// The compared values; nil if the check compares no numbers.
    let comparison: Comparison?

    init(_ place: Place, _ message: Message, comparison: Comparison? = nil) {
        (self.place, self.message, self.comparison) = (place, message, comparison)
    }

    init(_ place: Place, _ comparison: Comparison) {
        (self.place, message, self.comparison) = (place, comparison.message, comparison)
    }
}

extension Sequence {
    /// The violations of the elements, up to one more than the limit.
    func violations(_ violation: (Element) -> Violation?) -> [Violation] {
        var all: [Violation] = []
        for element in self {
            guard let one = violation(element) else { continue }
            all.append(one)
            if all.count > Violation.limit { break }
        }
        return all
    }
}
