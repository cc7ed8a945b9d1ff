package import SegueBase

/// The caller's run of virtual time, for worlds within it.
package struct VirtualSchedule: @unchecked Sendable {
    private let run: VirtualRun

    /// A lane of its own, beside the main actor and all queues.
    private let lane: Lane

    /// The caller's run, with a lane of a name; nil outside of virtual time.
    package init?(for name: String) {
        guard let run = VirtualRun.current else { return nil }
        (self.run, lane) = (run, Lane(name))
    }

    /// The identity of the run.
    package var identity: AnyObject { run }

    /// The present instant of the run.
    package var now: Instant { .zero + run.elapsed }

    /// The time before which no other event happens: now if work is ready, nil if no event is planned.
    package var horizon: Instant? { run.hasWork ? now : run.nextInstant.map { .zero + ($0 - run.began) } }

    /// Runs a closure on this lane at an instant.
    package func schedule(at instant: Instant, _ body: @escaping () -> Void) -> EventToken? {
        run.enqueue(on: lane, after: instant - now, body)
    }

    /// Cancels a scheduled closure.
    package func cancel(_ token: EventToken) { run.cancel(token) }

    /// Runs a closure on the main actor, when it is free.
    package func onMain(_ body: @escaping @MainActor () -> Void) {
        run.enqueue(on: run.mainLane) { MainActor.assumeIsolated { body() } }
    }

    /// Runs a closure on the main actor after a delay.
    package func onMain(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> EventToken? {
        run.enqueue(on: run.mainLane, after: delay) { MainActor.assumeIsolated { body() } }
    }
}
