internal import CSegueTime
internal import SegueBase

/// The libdispatch timer sources of a run.
final class SourceTimers {
    private final class SourceTimer {
        let lane: Lane?
        var fires: (() -> Void)?
        var cancelled: (() -> Void)?
        /// The next firing and the interval; nil for a timer that is not set.
        var schedule: (next: Instant, every: Duration)?
        var token: EventToken?
        /// The number of suspensions not yet resumed.
        ///
        /// A timer begins inactive.
        var holds = 1
        var isActive = false
        var isCancelled = false

        init(on lane: Lane?) { self.lane = lane }
    }

    private unowned let run: VirtualRun
    private var timers: [UnsafeMutableRawPointer: SourceTimer] = [:]

    init(of run: VirtualRun) { self.run = run }

    func make(_ source: UnsafeMutableRawPointer, on lane: Lane?) { timers[source] = SourceTimer(on: lane) }

    func isGone(_ source: UnsafeMutableRawPointer) {
        guard let timer = timers.removeValue(forKey: source), let token = timer.token else { return }
        run.cancel(token)
    }

    /// Sets the schedule, and returns whether it is a timer of the run.
    func set(_ source: UnsafeMutableRawPointer, after delay: Duration?, every interval: Duration) -> Bool {
        guard let timer = timers[source] else { return false }
        timer.schedule = delay.map { (run.now + $0, interval) }
        plan(timer)
        return true
    }

    /// Sets the handler for firing or for cancellation, and returns whether it is a timer of the run.
    func set(_ source: UnsafeMutableRawPointer, isCancel: Bool, _ body: (() -> Void)?) -> Bool {
        guard let timer = timers[source] else { return false }
        if isCancel { timer.cancelled = body } else { timer.fires = body }
        return true
    }

    func cancel(_ source: UnsafeMutableRawPointer) {
        guard let timer = timers[source], !timer.isCancelled else { return }
        timer.isCancelled = true
        plan(timer)
        timer.fires = nil
        if let cancelled = timer.cancelled.take() { run.enqueue(on: timer.lane, cancelled) }
    }

    /// Suspends (1), resumes (-1), or activates (0) a timer.
    func hold(_ source: UnsafeMutableRawPointer, _ change: Int) {
        guard let timer = timers[source] else { return }
        if timer.isActive {
            timer.holds += change
        } else if change <= 0 {
            // The first resume activates a timer.
            (timer.isActive, timer.holds) = (true, timer.holds - 1)
        } else {
            timer.holds += 1
        }
        plan(timer)
    }

    private func plan(_ timer: SourceTimer) {
        if let token = timer.token { run.cancel(token) }
        timer.token = nil
        guard let schedule = timer.schedule, timer.isActive, timer.holds <= 0, !timer.isCancelled else { return }
        timer.token = run.enqueue(on: timer.lane, after: max(.zero, schedule.next - run.now)) { [weak self] in
            timer.token = nil
            guard let self, !timer.isCancelled else { return }
            // Firings missed during suspension become a single call.
            let late = run.now - schedule.next
            let isOver = schedule.every >= .seconds(3_155_760_000)
            let missed = isOver || schedule.every <= .zero ? 0 : Int64(late / schedule.every)
            let next = schedule.next + schedule.every * Int(missed + 1)
            timer.schedule = isOver ? nil : (next: max(next, run.now + .nanoseconds(1)), every: schedule.every)
            plan(timer)
            timer.fires?()
        }
    }
}
