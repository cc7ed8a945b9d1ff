internal import SegueBase
internal import SegueEvents

/// The progress of an app's rules: which conditions are true, since when, and which rules have acted.
struct ReactionCourse: Sendable {
    let reactions: [Reaction]

    /// The stored values, by name.
    var values: [String: Double] = [:]

    private var states: [State]
    private var tallies: [Tally] = []

    /// The instant at which rules kept triggering each other, after which no rule acts at that instant.
    private var stopped: Instant?

    /// The state of one rule.
    private struct State {
        /// The instant at which the condition became true; nil while it is false.
        var since: Instant?
        /// The instant at which the app acts, if the condition stays true.
        var due: Instant?
        /// True if the rule has acted since the condition became true.
        var hasActed = false
        /// True if the rule never acts again.
        var isOver = false
    }

    /// The number of matching events.
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

    /// True if the rules refer to no events.
    var countsNothing: Bool { tallies.isEmpty }

    /// Counts an event, and returns whether any rule refers to it.
    mutating func count(_ event: Event, _ facts: SessionFacts) -> Bool {
        var isAsked = false
        for index in tallies.indices where facts.matches(event, tallies[index].match) {
            tallies[index].count += 1
            isAsked = true
        }
        return isAsked
    }

    /// Returns the number of events since a rule acted, or since the beginning.
    func count(of match: EventMatch, since: String?) -> Int {
        tallies.first { $0.match == match && $0.since == since }?.count ?? 0
    }

    // MARK: Checks

    /// Updates the state, and returns the index of the first rule to act on.
    mutating func look(_ facts: SessionFacts, at now: Instant) -> Int? {
        for index in states.indices where !states[index].isOver {
            guard holds(index, from: facts, to: facts) == true else {
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

    /// Records that the app acts on a rule.
    mutating func begin(_ index: Int) {
        states[index].hasActed = true
        states[index].isOver = reactions[index].isOnce
        for tally in tallies.indices where tallies[tally].since == reactions[index].name { tallies[tally].count = 0 }
    }

    /// Stops all rules at this instant, without deferring their acts.
    mutating func stop(at now: Instant) {
        stopped = now
        letPass(at: now)
    }

    private mutating func letPass(at now: Instant) {
        for index in states.indices where isDue(index, at: now) { states[index].hasActed = true }
    }

    /// Returns the instant at which the rules must be evaluated again if nothing happens before `end`; nil for never.
    func nextLook(at now: Instant, before end: Instant, _ facts: (Instant) -> SessionFacts) -> Instant? {
        var next: Instant?
        for index in states.indices where !states[index].isOver {
            if !states[index].hasActed, let due = states[index].due { next = min(next ?? due, due) }
            guard reactions[index].condition.isMoving else { continue }
            let change = FirstChange.instant(after: now, before: next ?? end, from: states[index].since != nil) {
                let first = facts($0)
                return holds(index, from: first, to: $0 == $1 ? first : facts($1))
            }
            if let change { next = min(next ?? change, change) }
        }
        return next
    }

    private func holds(_ index: Int, from first: SessionFacts, to last: SessionFacts) -> Bool? {
        ConditionSpan(first, last).holds(reactions[index].condition)
    }
}
