internal import SegueBase

/// The one timer of a session.
struct SessionTimer: Sendable {
    private var planned: (at: Instant, token: Int)?
    private var count = 0

    /// Takes in that a timer has gone off; tells whether it is the one that counts.
    mutating func goesOff(_ token: Int) -> Bool {
        guard token == planned?.token else { return false }
        planned = nil
        return true
    }

    /// Has it go off at an instant, and not when it was to before; never for nil.
    mutating func plan(_ next: Instant?, at now: Instant, _ effects: inout [SessionEffect]) {
        guard next != planned?.at else { return }
        if let planned { effects.append(.cancelTimer(token: planned.token)) }
        planned = nil
        guard let next else { return }
        count += 1
        planned = (next, count)
        // So that time always goes on.
        effects.append(.timer(at: max(next, now + .microseconds(1)), token: count))
    }
}
