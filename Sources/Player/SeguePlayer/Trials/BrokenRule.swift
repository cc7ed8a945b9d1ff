internal import SegueBase
internal import SegueSearch

/// A rule that a run in a world broke.
public struct BrokenRule: Sendable, Equatable, CustomStringConvertible {
    /// The name of the rule: `rejected`, `exception`, `silent`, `background`, `unwished`, `lost-seek`, `jump`, `task`,
    /// `storm`, `rate`, `order` or `leak`, as docs/own-player.md says what each asks for; or that of a promise of the app's.
    public let rule: String

    /// What was found, in one line.
    public let message: String

    /// When, since the world was made.
    public let at: Duration

    /// When, which rule, and what was found.
    public var description: String { "\(DecimalText.short(at.seconds, places: 3)) s, \(rule): \(message)" }

    init(_ broken: SegueSearch.BrokenRule) { self.init(broken.rule.rawValue, broken.message, at: broken.at) }

    init(_ rule: String, _ message: String, at: Instant) {
        (self.rule, self.message, self.at) = (rule, message, .nanoseconds(at.nanoseconds))
    }
}
