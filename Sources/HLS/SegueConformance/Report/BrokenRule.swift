package import SegueBase

/// A broken rule with its place and the values that the check compared.
package struct BrokenRule: Sendable, Hashable {
    package let rule: Rule

    package let place: Place

    /// The finding as a sentence without a full stop.
    package let message: Message

    /// The compared values; nil if the check compared no numbers.
    package let comparison: Comparison?

    package init(rule: Rule, place: Place, message: Message, comparison: Comparison? = nil) {
        (self.rule, self.place, self.message, self.comparison) = (rule, place, message, comparison)
    }
}
