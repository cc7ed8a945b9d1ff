internal import SegueBase

/// Minimizes a trial that violates a rule: it removes and simplifies steps, and rounds their times; then it finds the
/// number that the violation depends on.
struct Shrinker: Sendable {
    /// The violation in the minimal trial.
    private(set) var broken: Outcome.Broken

    /// The minimal trial so far.
    private(set) var trial: Trial

    /// The limit, once it is known.
    private(set) var border: Found.Border?

    private let vocabulary: Vocabulary
    private var tried: Set<Trial> = []
    private var underWay: [Trial] = []

    /// The remaining search for a limit.
    private var bisection: Bisection?
    private var quantities: [Found.Border.Quantity]?

    init(_ trial: Trial, breaking broken: Outcome.Broken, _ vocabulary: Vocabulary) {
        (self.trial, self.broken, self.vocabulary) = (trial, broken, vocabulary)
        tried = [trial]
    }

    /// Returns the next trials to run; none when nothing is left to try.
    mutating func batch() -> [Trial] {
        if quantities == nil {
            let tried = tried
            underWay = Array(candidates.lazy.filter { !tried.contains($0) }.prefix(Search.batchSize))
            if !underWay.isEmpty { return underWay }
            // A hang has no limit that is worth its real time.
            quantities = broken.rule == Outcome.Broken.hang ? [] : hangers
        }
        while true {
            if let points = bisection?.points(of: trial), !points.isEmpty {
                underWay = points
                return points
            }
            if let found = bisection?.border(of: trial) {
                trial = found.breaker
                border = found.border
                return []
            }
            guard let next = quantities?.first else { return [] }
            quantities?.removeFirst()
            bisection = Bisection(next, in: trial)
        }
    }

    mutating func receive(_ outcomes: [Outcome]) {
        let same = outcomes.map { outcome in outcome.broken.first { $0.rule == broken.rule } }
        if quantities != nil {
            bisection?.receive(same.map { $0 != nil })
            return
        }
        tried.formUnion(underWay.prefix(outcomes.count))
        guard let (smaller, found) = zip(underWay, same).first(where: { $1 != nil }), let found else { return }
        (trial, broken) = (smaller, found)
    }

    // MARK: Smaller trials

    private var candidates: [Trial] { shorter + easier + plainer + rounder }

    private func changed(_ change: (inout Trial) -> Void) -> Trial {
        var copy = trial
        change(&copy)
        return copy
    }

    /// Trials with fewer steps: without halves, quarters, and single ones.
    private var shorter: [Trial] {
        var all: [Trial] = [], size = trial.steps.count
        while size > 0 {
            for start in stride(from: 0, to: trial.steps.count, by: size) {
                let end = min(start + size, trial.steps.count)
                all.append(changed { $0.steps.removeSubrange(start..<end) })
                // The following steps keep their times.
                if end < trial.steps.count {
                    let gap = trial.steps[start..<end].reduce(Duration.zero) { $0 + $1.after }
                    all.append(
                        changed {
                            $0.steps[end].after += gap
                            $0.steps.removeSubrange(start..<end)
                        }
                    )
                }
            }
            size /= 2
        }
        return all
    }

    /// Trials with a better network and a faster server, with at most one number that differs, from the beginning,
    /// instead of changes of the network.
    private var easier: [Trial] {
        let conditions = trial.conditions
        let ladder: [(Conditions.Quantity, [Int])] = [
            (.rate, [10_000, 5000, 2000, 1000, 500, 250, 120]), (.delay, [50, 100, 200, 400, 800]),
            (.think, [100, 300, 1000, 3000]), (.loss, [10, 30]),
        ]
        let allowed = ladder.filter { vocabulary.hasOwnNetwork || $0.0 == .think }
        var all: [Trial] = []
        if !conditions.strained.isEmpty { all.append(changed { $0.conditions = .ideal }) }
        let steady = changed { $0.steps.removeAll { $0.act.isOfNetwork } }
        if steady != trial || conditions.strained.count > 1 {
            for (quantity, values) in allowed {
                for value in [conditions[quantity]] + values where value != Conditions.ideal[quantity] {
                    var copy = steady
                    copy.conditions = .straining(quantity, to: value)
                    all.append(copy)
                }
            }
        }
        if conditions.strained.count > 1 {
            all += conditions.strained.map { quantity in changed { $0.conditions = conditions.easing(quantity) } }
        }
        return all
    }

    /// Trials with simpler acts, the usual title, and without a seed.
    private var plainer: [Trial] {
        var all: [Trial] = []
        for (index, step) in trial.steps.enumerated() {
            all += step.act.plainer.map { act in changed { $0.steps[index].act = act } }
        }
        let usual = vocabulary.lengths.prefix { $0 != trial.length }
        all += usual.map { length in changed { $0.length = length } }
        all += (0..<min(4, trial.seed)).map { seed in changed { $0.seed = seed } }
        return all
    }

    /// Trials with rounder times, of which the shorter one comes first.
    private var rounder: [Trial] {
        var all: [Trial] = []
        for (index, step) in trial.steps.enumerated() {
            let after = step.after, roundness = after.roundness
            let seconds = Duration.seconds(Int(after / .seconds(1)))
            let tenths = Duration.milliseconds(Int(after / .milliseconds(100)) * 100)
            let ladder = [0, 1, 5, 10, 20, 30, 60].map { Duration.seconds($0) }
            let others = [seconds, seconds + .seconds(1), tenths, tenths + .milliseconds(100)]
            for time in ladder + others where (time.roundness, time) < (roundness, after) {
                all.append(changed { $0.steps[index].after = time })
                // The following steps keep their times.
                if index + 1 < trial.steps.count, trial.steps[index + 1].after + after >= time {
                    all.append(
                        changed {
                            $0.steps[index].after = time
                            $0.steps[index + 1].after += after - time
                        }
                    )
                }
            }
        }
        return all
    }

    /// The numbers that the violation may depend on: the remaining conditions, then each time.
    private var hangers: [Found.Border.Quantity] {
        trial.conditions.strained.map(Found.Border.Quantity.condition)
            + trial.steps.indices.reversed().map(Found.Border.Quantity.time)
    }
}

extension Duration {
    /// The roundness of a time: 0 for zero, more for less round ones.
    fileprivate var roundness: Int {
        if self == .zero { return 0 }
        let milliseconds = Int(self / .milliseconds(1))
        if .milliseconds(milliseconds) != self { return 5 }
        if milliseconds % 5000 == 0 { return 1 }
        if milliseconds % 1000 == 0 { return 2 }
        return milliseconds % 100 == 0 ? 3 : 4
    }
}
