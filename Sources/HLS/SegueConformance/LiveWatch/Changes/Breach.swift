internal import SegueBase

/// A rule that one playlist breaks, before the place is known.
struct Breach: Error {
    let rule: Rule
    let message: Message
    /// The compared values; nil if the check compares no numbers.
    let comparison: Comparison?
    /// The media sequence number of the segment; nil if the breach concerns no segment.
    let segment: Int?

    init(_ rule: Rule, _ message: Message, segment: Int? = nil) {
        (self.rule, self.message, comparison, self.segment) = (rule, message, nil, segment)
    }

    init(_ rule: Rule, _ message: Message, comparison: Comparison?, segment: Int?) {
        (self.rule, self.message, self.comparison, self.segment) = (rule, message, comparison, segment)
    }

    init(_ rule: Rule, _ comparison: Comparison, segment: Int? = nil) {
        (self.rule, message, self.comparison, self.segment) = (rule, comparison.message, comparison, segment)
    }

    func broken(at place: Place) -> BrokenRule {
        BrokenRule(rule: rule, place: place, message: message, comparison: comparison)
    }
}
