internal import SegueBase

/// What came of a trial.
package struct Outcome: Sendable {
    /// A rule that it broke.
    package struct Broken: Sendable, Equatable {
        /// The rule's name.
        package let rule: String
        /// What was found, in one line.
        package let message: String
        /// When, since the run began.
        package let at: Duration

        /// A rule that was broken.
        package init(rule: String, message: String, at: Duration) {
            (self.rule, self.message, self.at) = (rule, message, at)
        }
    }

    /// The rules that it broke.
    package let broken: [Broken]

    /// What it came by.
    package let footprint: Footprint

    /// What came of a trial.
    package init(broken: [Broken], footprint: Footprint) { (self.broken, self.footprint) = (broken, footprint) }
}

/// A rule that a search found broken, and the least that breaks it.
package struct Found: Sendable, Equatable {
    /// What is as much as can be borne, and what is more.
    package struct Border: Sendable, Equatable {
        /// What it is of.
        package enum Quantity: Sendable, Equatable {
            /// A number of the network's or the server's.
            case condition(Conditions.Quantity)
            /// The time before a step, by its index, in milliseconds.
            case time(Int)
        }

        /// What it is of.
        package let quantity: Quantity
        /// The value nearest to the other one at which the rule is broken.
        package let breaking: Int
        /// The value at which it is not.
        package let keeping: Int
        /// The trial with that.
        package let keeper: Trial
    }

    /// What it broke.
    package let broken: Outcome.Broken
    /// The least that breaks it.
    package let trial: Trial
    /// On what it hangs; nil where no one number was found.
    package let border: Border?
    /// How many runs it took until the rule was first broken.
    package let runs: Int
}
