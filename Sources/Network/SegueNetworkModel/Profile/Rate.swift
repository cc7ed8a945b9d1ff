/// How fast a direction of a network is.
package enum Rate: Sendable, Equatable {
    /// As fast as can be: packets take no time.
    case unlimited
    /// So many bits a second, above zero.
    case constant(Int64)
    /// As fast as its course says.
    case changing(RateCourse)

    /// The bits a second in the long run; nil where there is no limit.
    package var mean: Double? {
        switch self {
        case .unlimited: nil
        case .constant(let bitsPerSecond): Double(bitsPerSecond)
        case .changing(let course): course.mean
        }
    }
}

/// A rate that changes in steps: from a list, a trace or a generator.
package struct RateCourse: Sendable, Equatable {
    /// From when on a rate holds.
    package struct Step: Sendable, Equatable {
        /// When it begins, in nanoseconds since the run began or its period did.
        package var start: Int64

        /// Bits a second; zero for an outage.
        package var bitsPerSecond: Int64

        /// A step.
        package init(start: Int64, bitsPerSecond: Int64) {
            self.start = start
            self.bitsPerSecond = bitsPerSecond
        }
    }

    /// The steps: the first at zero, none empty, each with another rate than the one before.
    package let steps: [Step]

    /// After how many nanoseconds it begins again; nil where the last step holds for good.
    package let period: Int64?

    /// A course of steps; nil where they do not ascend from zero, a rate is negative, or nothing would ever get through.
    ///
    /// - Parameters:
    ///   - steps: The steps, ascending, the first at zero; the last holds for good where there is no period.
    ///   - period: When it begins again: after the last step's beginning.
    package init?(_ steps: [Step], period: Int64?) {
        guard steps.first?.start == 0, steps.allSatisfy({ $0.bitsPerSecond >= 0 }),
            zip(steps, steps.dropFirst()).allSatisfy({ $0.start < $1.start })
        else { return nil }
        let last = steps[steps.count - 1]
        if let period {
            guard period > last.start, steps.contains(where: { $0.bitsPerSecond > 0 }) else { return nil }
        } else if last.bitsPerSecond == 0 {
            return nil
        }
        var kept: [Step] = []
        for step in steps where kept.last?.bitsPerSecond != step.bitsPerSecond { kept.append(step) }
        (self.steps, self.period) = (kept, period)
    }

    /// The mean rate of a period; the last step's where there is none.
    package var mean: Double {
        guard let period else { return Double(steps[steps.count - 1].bitsPerSecond) }
        var sum = 0.0
        for (index, step) in steps.enumerated() {
            let end = index + 1 < steps.count ? steps[index + 1].start : period
            sum += Double(step.bitsPerSecond) * Double(end - step.start)
        }
        return sum / Double(period)
    }

    /// The rate that holds at a time, and until when it does; `Int64.max` for good.
    package func rate(at time: Int64) -> (bitsPerSecond: Int64, until: Int64) {
        let turn = period.map { time / $0 * $0 } ?? 0
        let offset = time - turn
        var (low, high) = (0, steps.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if steps[middle].start <= offset { low = middle } else { high = middle }
        }
        let end = low + 1 < steps.count ? steps[low + 1].start : period
        return (steps[low].bitsPerSecond, end.map { turn + $0 } ?? .max)
    }
}
