package import SegueBase
package import SegueEvents

/// Compares the user's actions with the event log of a run.
///
/// It reports nothing when the expected behavior is undefined: after an interruption that ends without a request to
/// resume, after an item has failed because of the network, and after an action whose meaning is unknown.
package struct RequirementChecker: Sendable {
    /// The maximum time of unexpected silence.
    static let patience = Duration.seconds(20)
    /// The maximum time of unexpected audio, or of an unexpected rate.
    static let tolerance = Duration.seconds(2)
    /// The maximum error of a position: two segments of usual duration.
    static let slack = Duration.seconds(12)
    /// The maximum time until a seek takes effect.
    static let seekLimit = Duration.seconds(10)
    /// The maximum time for which another title may play.
    static let orderLimit = Duration.seconds(10)
    /// The maximum time for which a background task may be held without need.
    static let taskLimit = Duration.seconds(40)

    var wish = UserWish()
    var heard = HeardAudio()
    var order: TitleOrder
    var items = ItemStates()
    let context: RequirementContext
    var storms = StormWatch()
    var loads = LoadWatch()
    var retries = RetryWatch()
    var app = AppState()

    /// True if the user is scanning, which is silent.
    var isScanning = false
    /// The rate without corrections by the player.
    var rateSet = 0.0

    /// The instant at which each state with a time limit began.
    var since: [BrokenRule.Rule: Instant] = [:]

    private(set) var broken: [BrokenRule] = []

    private init(_ context: RequirementContext) {
        (self.context, order) = (context, TitleOrder(context.titles, advances: context.advances))
    }

    /// Returns the violations of a run, in order of detection, one for each rule.
    ///
    /// - Parameters:
    ///   - log: The events. Each action of the user is a `step.began` with its number.
    ///   - context: The user's actions, and the facts about the app.
    ///   - end: The end of the run, or the time of the check.
    /// - Returns: The violations.
    package static func broken(in log: EventLog, _ context: RequirementContext, until end: Instant) -> [BrokenRule] {
        var checker = RequirementChecker(context)
        for event in log.events {
            checker.watch(until: event.at)
            checker.handle(event)
            checker.look(at: event.at)
        }
        checker.watch(until: end)
        return checker.broken
    }

    mutating func find(_ rule: BrokenRule.Rule, _ message: String?, at now: Instant) {
        guard let message, !broken.contains(where: { $0.rule == rule }) else { return }
        broken.append(BrokenRule(rule: rule, message: message, at: now))
    }
}
