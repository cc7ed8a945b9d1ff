internal import SegueBase

/// The outcome of a trial.
package struct Outcome: Sendable {
    /// A violation of a rule.
    package struct Broken: Sendable, Equatable {
        package let rule: String
        /// The rule that an app's code must not hang.
        package static let hang = "hang"
        /// A description in one line.
        package let message: String
        /// The time since the start of the run.
        package let at: Duration

        package init(rule: String, message: String, at: Duration) {
            (self.rule, self.message, self.at) = (rule, message, at)
        }
    }

    package let broken: [Broken]

    /// The behavior that it covered.
    package let footprint: Footprint

    package init(broken: [Broken], footprint: Footprint) { (self.broken, self.footprint) = (broken, footprint) }
}

/// A rule that a search found violated, with the minimal trial.
package struct Found: Sendable, Equatable {
    /// The limit of a number at which the violation begins.
    package struct Border: Sendable, Equatable {
        /// The number with the limit.
        package enum Quantity: Sendable, Equatable {
            /// A number of the network or the server.
            case condition(Conditions.Quantity)
            /// The time before a step, by its index, in milliseconds.
            case time(Int)
        }

        package let quantity: Quantity
        /// The value at the limit with the violation.
        package let breaking: Int
        /// The value at the limit without it.
        package let keeping: Int
        /// The trial without it.
        package let keeper: Trial
    }

    package let broken: Outcome.Broken
    /// The minimal trial.
    package let trial: Trial
    /// The limit, if a single number has one.
    package let border: Border?
    /// The number of runs before the first violation.
    package let runs: Int
}
