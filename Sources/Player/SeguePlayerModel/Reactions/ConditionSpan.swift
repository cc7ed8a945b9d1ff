internal import SegueBase
internal import SegueEvents

/// The truth of conditions over a span of time without events, in which every number changes monotonically.
struct ConditionSpan {
    private let first: SessionFacts
    private let last: SessionFacts

    /// A span from the facts of its first instant to those of its last; both are the same for a single instant.
    init(_ first: SessionFacts, _ last: SessionFacts) { (self.first, self.last) = (first, last) }

    /// Returns whether a condition is true or false throughout the span; nil if that is undecided, never for a single
    /// instant.
    ///
    /// Unlike in a step of a scenario, which is evaluated at events, a number is less than a limit until it reaches the
    /// limit exactly, and not until a thousandth before.
    func holds(_ condition: Condition) -> Bool? {
        switch condition {
        case .number(let subject, let comparison): holds(comparison) { $0.number(subject) }
        case .word(let subject, let words): first.has(words, subject)
        case .flag(let subject, let wanted): first.flag(subject) == wanted
        case .events(let match, let count, let since):
            holds(count) { [first] _ in Double(first.number(of: match, since: since)) }
        case .all(let parts): all(parts.lazy.map { holds($0) })
        case .any(let parts): all(parts.lazy.map { holds($0).map { !$0 } }).map { !$0 }
        case .not(let part): holds(part).map { !$0 }
        }
    }

    private func all(_ parts: some Sequence<Bool?>) -> Bool? {
        var isTold = true
        for part in parts {
            if part == false { return false }
            if part == nil { isTold = false }
        }
        return isTold ? true : nil
    }

    private func holds(_ comparison: Comparison, _ number: (SessionFacts) -> Double?) -> Bool? {
        guard first !== last else {
            // An unknown value never matches.
            return number(first).flatMap { comparison.holds($0, isExact: true, first.lookUp) } ?? false
        }
        return comparison.holds(span(number), isExact: true) { name in span { $0.lookUp(name) } }
    }

    private func span(_ number: (SessionFacts) -> Double?) -> ValueSpan {
        switch (number(first), number(last)) {
        case (nil, nil): .nothing
        case (let one?, let other?): ValueSpan(one, other)
        default: .untold
        }
    }
}
