internal import SegueBase

/// A search for the limit of one number at which a trial stops violating its rule.
struct Bisection: Sendable {
    private let quantity: Found.Border.Quantity
    /// A value with the violation.
    private var breaking: Int
    /// A value without it, once one is known.
    private var keeping: Int?
    private var values: [Int] = []
    private var isOver = false

    private static let pointsAtATime = 8

    init(_ quantity: Found.Border.Quantity, in trial: Trial) {
        self.quantity = quantity
        breaking = quantity.value(in: trial)
    }

    /// Returns the next trials to run; none when the limit is known, or known not to exist.
    mutating func points(of trial: Trial) -> [Trial] {
        values = isOver ? [] : nextValues
        if values.isEmpty { isOver = true }
        return values.map { quantity.setting($0, in: trial) }
    }

    private var nextValues: [Int] {
        guard let keeping else { return quantity.extremes(from: breaking).filter { $0 != breaking } }
        let (least, most) = (min(breaking, keeping), max(breaking, keeping))
        // A precision of 2 % suffices.
        guard most - least > max(1, most / 50) else { return [] }
        let parts = Bisection.pointsAtATime + 1
        let inner = (1...Bisection.pointsAtATime).map { least + Int(Double(most - least) * Double($0) / Double(parts)) }
        return Array(Set(inner).subtracting([least, most])).sorted()
    }

    mutating func receive(_ isBroken: [Bool]) {
        let points = zip(values, isBroken).map { ($0, $1) }
        guard let keeping else {
            self.keeping = points.first { !$0.1 }?.0
            if self.keeping == nil { isOver = true }
            return
        }
        // From values with the violation toward values without it, up to the first without.
        let inOrder = breaking < keeping ? points : points.reversed()
        for (value, isBroken) in inOrder {
            guard isBroken else {
                self.keeping = value
                return
            }
            breaking = value
        }
    }

    /// Returns the limit, and the trial at it that violates the rule; nil if there is none.
    func border(of trial: Trial) -> (breaker: Trial, border: Found.Border)? {
        guard isOver, let keeping else { return nil }
        let border = Found.Border(
            quantity: quantity,
            breaking: breaking,
            keeping: keeping,
            keeper: quantity.setting(keeping, in: trial)
        )
        return (quantity.setting(breaking, in: trial), border)
    }
}

extension Found.Border.Quantity {
    fileprivate func value(in trial: Trial) -> Int {
        switch self {
        case .condition(let quantity): trial.conditions[quantity]
        case .time(let index): Int(trial.steps[index].after / .milliseconds(1))
        }
    }

    fileprivate func setting(_ value: Int, in trial: Trial) -> Trial {
        var copy = trial
        switch self {
        case .condition(let quantity): copy.conditions[quantity] = value
        case .time(let index): copy.steps[index].after = .milliseconds(value)
        }
        return copy
    }

    /// Returns the extreme values, beyond which nothing changes.
    fileprivate func extremes(from value: Int) -> [Int] {
        switch self {
        case .condition(let quantity): [Conditions.ideal[quantity]]
        case .time: [0, value + 30_000]
        }
    }
}
