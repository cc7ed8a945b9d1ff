internal import SegueBase

struct SessionTimer: Sendable {
    private var planned: (at: Instant, token: Int)?
    private var count = 0

    /// Handles a timer that fired, and returns whether it is the current one.
    mutating func goesOff(_ token: Int) -> Bool {
        guard token == planned?.token else { return false }
        planned = nil
        return true
    }

    /// Replaces the timer; nil cancels it.
    mutating func plan(_ next: Instant?, at now: Instant, _ effects: inout [SessionEffect]) {
        guard next != planned?.at else { return }
        if let planned { effects.append(.cancelTimer(token: planned.token)) }
        planned = nil
        guard let next else { return }
        count += 1
        planned = (next, count)
        // Time must always advance.
        effects.append(.timer(at: max(next, now + .microseconds(1)), token: count))
    }
}
