/// The rate of a direction of a network.
package enum Rate: Sendable, Equatable {
    /// Unlimited: packets take no time.
    case unlimited
    /// A constant rate in bits per second, above zero.
    case constant(Int64)
    case changing(RateCourse)

    /// The long-term mean in bits per second; nil for unlimited.
    package var mean: Double? {
        switch self {
        case .unlimited: nil
        case .constant(let bitsPerSecond): Double(bitsPerSecond)
        case .changing(let course): course.mean
        }
    }
}

/// A rate that changes in steps, from a list, a trace, or a generator.
package struct RateCourse: Sendable, Equatable {
    /// A rate and the time at which it begins.
    package struct Step: Sendable, Equatable {
        /// The time in nanoseconds since the beginning of the run or period.
        package var start: Int64

        /// The rate in bits per second; zero for an outage.
        package var bitsPerSecond: Int64

        package init(start: Int64, bitsPerSecond: Int64) {
            self.start = start
            self.bitsPerSecond = bitsPerSecond
        }
    }

    /// The steps, beginning at zero, each with another rate than the previous one.
    package let steps: [Step]

    /// The period in nanoseconds; nil if the last step is permanent.
    package let period: Int64?

    /// Creates a course of rates; nil if the steps do not ascend from zero, a rate is negative, or nothing would ever
    /// pass.
    ///
    /// - Parameters:
    ///   - steps: The steps in ascending order from zero; without a period, the last one is permanent.
    ///   - period: The period, longer than the beginning of the last step.
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

    /// The mean rate of a period; without a period, the last rate.
    package var mean: Double {
        guard let period else { return Double(steps[steps.count - 1].bitsPerSecond) }
        var sum = 0.0
        for (index, step) in steps.enumerated() {
            let end = index + 1 < steps.count ? steps[index + 1].start : period
            sum += Double(step.bitsPerSecond) * Double(end - step.start)
        }
        return sum / Double(period)
    }

    /// The rate at a time, and its end; `Int64.max` for never.
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
