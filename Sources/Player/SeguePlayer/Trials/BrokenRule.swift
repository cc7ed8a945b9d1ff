internal import SegueBase
internal import SegueSearch

/// A violation of a rule in a run.
public struct BrokenRule: Sendable, Equatable, CustomStringConvertible {
    /// The name of the rule: `rejected`, `exception`, `crash`, `silent`, `background`, `unwished`, `lost-seek`, `jump`,
    /// `task`, `storm`, `twice`, `backoff`, `rate`, `order`, `leak`, or `hang`, which docs/own-player.md describes; or
    /// the name of an expectation of the app.
    public let rule: String

    /// A description in one line.
    public let message: String

    /// The time of the violation, since the world was created.
    public let at: Duration

    /// The time, the rule, and the description.
    public var description: String { "\(DecimalText.short(at.seconds, places: 3)) s, \(rule): \(message)" }

    init(_ broken: SegueSearch.BrokenRule) { self.init(broken.rule.rawValue, broken.message, at: broken.at) }

    init(rule: String, message: String, at: Duration) { (self.rule, self.message, self.at) = (rule, message, at) }

    init(_ rule: String, _ message: String, at: Instant) {
        (self.rule, self.message, self.at) = (rule, message, .nanoseconds(at.nanoseconds))
    }
}
