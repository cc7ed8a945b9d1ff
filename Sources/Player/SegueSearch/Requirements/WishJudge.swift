package import SegueBase
package import SegueEvents

/// Holds what a user wished against what a log tells of a run.
///
/// Where nobody could say what is right, nothing is: after a call of which the app is not told that it should go on, after an
/// item has failed on its way through the network, after a wish of which only the app knows the meaning.
package struct WishJudge: Sendable {
    /// How long nothing may be heard that should be.
    static let patience = Duration.seconds(20)
    /// How long something may be heard that should not, or at another rate.
    static let tolerance = Duration.seconds(2)
    /// How far from where it should be the playhead may be: two segments of usual length.
    static let slack = Duration.seconds(12)
    /// How long is waited until a seek shows in what is heard.
    static let seekLimit = Duration.seconds(10)
    /// How long another title may be heard than the user chose.
    static let orderLimit = Duration.seconds(10)
    /// How long a background task may be held without use.
    static let taskLimit = Duration.seconds(40)
    /// How often the same may fail within ``stormTime``.
    static let stormCount = 20
    static let stormTime = Duration.seconds(10)

    /// What the user wants to hear.
    enum Mood: Sendable { case sound, silence, either }

    /// The user goes elsewhere.
    struct Move: Sendable {
        let at: Instant
        /// Where what was there then is to go; nil where that is not known.
        let target: Duration?
        /// The items that were there then.
        let items: Set<String>
        /// Whether what was there then was heard since.
        var isOverheard = false
    }

    var mood = Mood.either
    var hasWished = false
    var rateWished: Double?
    var seek: Duration?
    /// Where the user has gone elsewhere, until that shows in what is heard.
    var move: Move?

    var sounding: String?
    var soundBegan = Instant.zero
    var soundPlace = Duration.zero
    /// Whether the user sees where a scan is, and hears nothing.
    var isScanning = false
    /// The assets of interstitials, which are heard in an item's place.
    var assets: Set<String> = []
    /// Where each item was heard last.
    var left: [String: Duration] = [:]
    /// What was heard last, and where that ended.
    var lastEnd: (name: String, place: Duration)?
    /// What failed and may be made again: its title, or its address where that is of none.
    var failedSource: String?

    var order: TitleOrder
    var current: String?
    var failed: Set<String> = []
    /// Those that failed on their way through the network.
    var lost: Set<String> = []
    let refills: Bool
    var likely: Set<String> = []
    var durations: [String: Duration] = [:]
    var rate = 0.0
    /// The rate without what the player makes of it by itself.
    var rateSet = 0.0
    var underway: [Int: String] = [:]
    var misses: [String: [Instant]] = [:]
    var insertions: [Instant] = []

    /// From when the platform counts how long the app may run unheard: it was heard last, or left the screen.
    var unheardSince = Instant.zero
    var isInterrupted = false
    var isInBackground = false
    var isGone = false
    /// How many background tasks the app holds.
    var tasks = 0
    /// When their time was over; nil where the app has ended them since.
    var expiredAt: Instant?

    /// Since when each that takes time is so; nil while it is not.
    var since: [BrokenRule.Rule: Instant] = [:]

    private(set) var broken: [BrokenRule] = []

    private init(_ titles: [[String]], refills: Bool) { (order, self.refills) = (TitleOrder(titles), refills) }

    /// What a run broke, in the order in which it was found; each rule once.
    ///
    /// - Parameters:
    ///   - log: What happened. A wish stands in it as `step.began` with its number.
    ///   - wishes: What the user did at each step, in order; nil for what somebody else did. The number of the first is 1.
    ///   - titles: The titles that are played one behind the other, each with its addresses; empty where they are not known.
    ///   - refills: Whether the app has something put into the queue when nothing is in it, or what is has failed.
    ///   - end: When the run ended, or is looked at.
    /// - Returns: The rules.
    package static func broken(
        in log: EventLog,
        wishes: [Wish?],
        titles: [[String]] = [],
        refills: Bool = true,
        until end: Instant
    ) -> [BrokenRule] {
        var judge = WishJudge(titles, refills: refills)
        for event in log.events {
            judge.watch(until: event.at)
            judge.take(event, wishes)
            judge.look(at: event.at)
        }
        judge.watch(until: end)
        return judge.broken
    }

    mutating func find(_ rule: BrokenRule.Rule, _ message: String, at now: Instant) {
        guard !broken.contains(where: { $0.rule == rule }) else { return }
        broken.append(BrokenRule(rule: rule, message: message, at: now))
    }
}
