internal import SegueBase

/// Looks for the value of one number, next to which a trial does not break its rule any more.
struct Bisection: Sendable {
    private let quantity: Found.Border.Quantity
    /// Where the rule is broken.
    private var breaking: Int
    /// Where it is not; nil while none is known.
    private var keeping: Int?
    private var values: [Int] = []
    private var isOver = false

    private static let pointsAtATime = 8

    init(_ quantity: Found.Border.Quantity, in trial: Trial) {
        self.quantity = quantity
        breaking = quantity.value(in: trial)
    }

    /// What is to be run next; empty once the border is known, or is known not to be there.
    mutating func points(of trial: Trial) -> [Trial] {
        values = isOver ? [] : nextValues
        if values.isEmpty { isOver = true }
        return values.map { quantity.setting($0, in: trial) }
    }

    private var nextValues: [Int] {
        guard let keeping else { return quantity.extremes(from: breaking).filter { $0 != breaking } }
        let (least, most) = (min(breaking, keeping), max(breaking, keeping))
        // A fiftieth is near enough.
        guard most - least > max(1, most / 50) else { return [] }
        let parts = Bisection.pointsAtATime + 1
        let inner = (1...Bisection.pointsAtATime).map { least + Int(Double(most - least) * Double($0) / Double(parts)) }
        return Array(Set(inner).subtracting([least, most])).sorted()
    }

    mutating func take(_ isBroken: [Bool]) {
        let points = zip(values, isBroken).map { ($0, $1) }
        guard let keeping else {
            self.keeping = points.first { !$0.1 }?.0
            if self.keeping == nil { isOver = true }
            return
        }
        // From where it is broken towards where it is not, up to the first that is not.
        let inOrder = breaking < keeping ? points : points.reversed()
        for (value, isBroken) in inOrder {
            guard isBroken else {
                self.keeping = value
                return
            }
            breaking = value
        }
    }

    /// The border, and the trial next to it that breaks the rule; nil where there is none.
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

    /// The values beyond which it makes no difference.
    fileprivate func extremes(from value: Int) -> [Int] {
        switch self {
        case .condition(let quantity): [Conditions.ideal[quantity]]
        case .time: [0, value + 30_000]
        }
    }
}
