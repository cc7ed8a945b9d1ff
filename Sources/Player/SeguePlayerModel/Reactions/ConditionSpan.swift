internal import SegueBase
internal import SegueEvents

/// What can be told of conditions during a stretch of time in which nothing happens: numbers go on as they do, one way.
struct ConditionSpan {
    private let first: SessionFacts
    private let last: SessionFacts

    /// A stretch of time.
    ///
    /// - Parameters:
    ///   - first: The facts of its first moment.
    ///   - last: Those of its last; the same where it is one moment.
    init(_ first: SessionFacts, _ last: SessionFacts) { (self.first, self.last) = (first, last) }

    /// Whether a condition holds.
    ///
    /// Unlike a step of a scenario, which is looked at when something happens, what is less than a number here is so until
    /// it is reached, and not until a thousandth before.
    ///
    /// - Returns: What is so at every moment of the stretch; nil where that cannot be told, never for a single moment.
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
            // What is not known, or has no value, holds not.
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
