internal import SegueBase

/// A run of a search, with everything needed to repeat it.
package struct Trial: Sendable, Hashable {
    /// An act and its time.
    package struct Step: Sendable, Hashable {
        /// The time since the previous step.
        package var after: Duration
        package var act: Act

        package init(after: Duration, _ act: Act) { (self.after, self.act) = (after, act) }
    }

    /// The wait after the last step, which exceeds the time limit of any rule, and that of three retries.
    package static let settling = Duration.seconds(45)

    /// The maximum duration of a trial.
    static let longest = Duration.seconds(900)

    /// The seed, from 0.
    package var seed: UInt64
    /// The network and the server.
    package var conditions: Conditions
    /// The duration of a title in seconds, where the search may choose it.
    package var length: Int
    package var steps: [Step]
    /// The index of the change to the app's declarations, of those that the search may make; nil for none.
    package var variation: Int?

    package init(seed: UInt64, conditions: Conditions, length: Int, steps: [Step]) {
        (self.seed, self.conditions, self.length, self.steps) = (seed, conditions, length, steps)
    }

    /// The minimum time between two presses of buttons.
    private static let reach = Duration.milliseconds(50)
    /// The minimum time between other acts.
    ///
    /// A call does not end, and a button is not pressed, at the instant at which a call begins.
    private static let least = Duration.milliseconds(1)

    /// The steps as they run: no two at the same instant, except for changes of the network.
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

    /// The instant of each step.
    var instants: [Duration] {
        var now = Duration.zero
        return steps.map { step in
            now += step.after
            return now
        }
    }

    /// Returns the trial with one step at another time, in order of time.
    func moving(_ index: Int, to instant: Duration) -> Trial {
        var timed = zip(instants, steps.map(\.act)).map { (at: $0, act: $1) }
        timed[index].at = max(.zero, instant)
        // Steps at the same time keep their order.
        let sorted = timed.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        var (copy, now) = (self, Duration.zero)
        copy.steps = sorted.map { entry in
            defer { now = entry.element.at }
            return Step(after: entry.element.at - now, entry.element.act)
        }
        return copy
    }
}
