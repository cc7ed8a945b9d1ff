internal import SegueBase
internal import SegueEvents

/// How far an app has come with its rules: which hold, since when, and what it has done about that.
struct ReactionCourse: Sendable {
    /// The rules, in order.
    let reactions: [Reaction]

    /// What was noted, by name.
    var values: [String: Double] = [:]

    private var states: [State]
    private var tallies: [Tally] = []

    /// The moment at which so much came of each other that nothing more is done.
    private var stopped: Instant?

    /// What is known of one rule.
    private struct State {
        /// Since when its condition holds; nil where it does not.
        var since: Instant?
        /// When the app acts, where it goes on holding.
        var due: Instant?
        /// Whether the app has acted since it came to hold.
        var hasActed = false
        /// Whether the app never will again.
        var isOver = false
    }

    /// How many events of a kind there were.
    private struct Tally {
        let match: EventMatch
        let since: String?
        var count = 0
    }

    init(_ reactions: [Reaction]) {
        self.reactions = reactions
        states = reactions.map { _ in State() }
        for (match, since) in reactions.flatMap(\.condition.counts)
        where !tallies.contains(where: { $0.match == match && $0.since == since }) {
            tallies.append(Tally(match: match, since: since))
        }
    }

    // MARK: Events

    /// Whether there is nothing to be counted.
    var countsNothing: Bool { tallies.isEmpty }

    /// Counts an event; tells whether that was one that is asked for.
    mutating func count(_ event: Event, _ facts: SessionFacts) -> Bool {
        var isAsked = false
        for index in tallies.indices where facts.matches(event, tallies[index].match) {
            tallies[index].count += 1
            isAsked = true
        }
        return isAsked
    }

    /// How many events there were, since a rule was acted on or since the beginning.
    func count(of match: EventMatch, since: String?) -> Int {
        tallies.first { $0.match == match && $0.since == since }?.count ?? 0
    }

    // MARK: Looking

    /// Takes in what holds now.
    ///
    /// - Returns: The first rule that the app is to act on; nil for none.
    mutating func look(_ facts: SessionFacts, at now: Instant) -> Int? {
        for index in states.indices where !states[index].isOver {
            guard holds(index, facts, facts) == true else {
                states[index] = State()
                continue
            }
            let since = states[index].since ?? now
            states[index].since = since
            if let after = reactions[index].after, states[index].due == nil {
                states[index].due = facts.wait(of: after).map { since + $0 }
            }
        }
        guard stopped != now else {
            letPass(at: now)
            return nil
        }
        return states.indices.first { isDue($0, at: now) }
    }

    private func isDue(_ index: Int, at now: Instant) -> Bool {
        let state = states[index]
        guard state.since != nil, !state.hasActed else { return false }
        return reactions[index].after == nil || state.due.map { $0 <= now } ?? false
    }

    /// The app acts on a rule.
    mutating func begin(_ index: Int) {
        states[index].hasActed = true
        states[index].isOver = reactions[index].isOnce
        for tally in tallies.indices where tallies[tally].since == reactions[index].name { tallies[tally].count = 0 }
    }

    /// The app acts on nothing more at this moment, and later not on what it would have to act on now.
    mutating func stop(at now: Instant) {
        stopped = now
        letPass(at: now)
    }

    private mutating func letPass(at now: Instant) {
        for index in states.indices where isDue(index, at: now) { states[index].hasActed = true }
    }

    /// When to look at the rules again if nothing happens.
    ///
    /// - Parameters:
    ///   - now: The present, at which they have been looked at.
    ///   - end: Up to when nothing happens.
    ///   - facts: What can be read off the session at an instant until then.
    /// - Returns: The instant; nil for never.
    func nextLook(at now: Instant, before end: Instant, _ facts: (Instant) -> SessionFacts) -> Instant? {
        var next: Instant?
        for index in states.indices where !states[index].isOver {
            if !states[index].hasActed, let due = states[index].due { next = min(next ?? due, due) }
            guard reactions[index].condition.isMoving else { continue }
            let change = FirstChange.instant(after: now, before: next ?? end, from: states[index].since != nil) {
                let first = facts($0)
                return holds(index, first, $0 == $1 ? first : facts($1))
            }
            if let change { next = min(next ?? change, change) }
        }
        return next
    }

    private func holds(_ index: Int, _ first: SessionFacts, _ last: SessionFacts) -> Bool? {
        ConditionSpan(first, last).holds(reactions[index].condition)
    }
}
