internal import SegueBase

/// A run that a search wants done, and all that is needed to do it again.
package struct Trial: Sendable, Hashable {
    /// Something that happens.
    package struct Step: Sendable, Hashable {
        /// So long after the step before.
        package var after: Duration
        /// What happens.
        package var act: Act

        /// A step.
        package init(after: Duration, _ act: Act) { (self.after, self.act) = (after, act) }
    }

    /// How long is waited behind the last step: longer than any rule waits, and than three retries.
    package static let settling = Duration.seconds(45)

    /// The longest that a trial may take.
    static let longest = Duration.seconds(900)

    /// The seed of everything random, from 0.
    package var seed: UInt64
    /// What the network and the server are like.
    package var conditions: Conditions
    /// How long a title is, in seconds, where the search may choose.
    package var length: Int
    /// What happens.
    package var steps: [Step]

    /// A trial.
    package init(seed: UInt64, conditions: Conditions, length: Int, steps: [Step]) {
        (self.seed, self.conditions, self.length, self.steps) = (seed, conditions, length, steps)
    }

    /// How long a finger takes from one button to the next.
    private static let reach = Duration.milliseconds(50)
    /// The least between other things: no call ends, and no finger comes, at the instant at which a call begins.
    private static let least = Duration.milliseconds(1)

    /// The steps as they are carried out: no two at the same instant, but for what befalls the network.
    package var paced: [Step] {
        var (steps, before) = (steps, false)
        for index in steps.indices {
            let isOfUser = steps[index].act.isOfUser
            if index > 0, !steps[index].act.isOfNetwork {
                steps[index].after = max(steps[index].after, isOfUser && before ? Trial.reach : Trial.least)
            }
            before = isOfUser
        }
        return steps
    }

    /// When each step comes.
    var instants: [Duration] {
        var now = Duration.zero
        return steps.map { step in
            now += step.after
            return now
        }
    }

    /// The same with one step at another time, and the steps in the order of their times.
    func moving(_ index: Int, to instant: Duration) -> Trial {
        var timed = zip(instants, steps.map(\.act)).map { (at: $0, act: $1) }
        timed[index].at = max(.zero, instant)
        // Of two at the same time the one that came first stays first.
        let sorted = timed.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        var (copy, now) = (self, Duration.zero)
        copy.steps = sorted.map { entry in
            defer { now = entry.element.at }
            return Step(after: entry.element.at - now, entry.element.act)
        }
        return copy
    }
}
