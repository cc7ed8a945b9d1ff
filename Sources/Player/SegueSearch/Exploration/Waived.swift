/// A rule that a search does not report, with its violations.
package struct Waived: Sendable, Equatable {
    /// The number of runs that violated it.
    package private(set) var runs = 0
    /// The description of the first violation; nil without one.
    package private(set) var message: String?

    package init() {}

    /// Counts a violation.
    mutating func count(_ broken: Outcome.Broken) {
        runs += 1
        message = message ?? broken.message
    }
}
