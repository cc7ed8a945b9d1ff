package import SegueBase

/// The run of virtual time that the caller is in, for worlds that live in it.
package struct VirtualSchedule: @unchecked Sendable {
    private let run: VirtualRun

    /// What is done in one order of its own, beside the main actor and all queues.
    private let lane: Lane

    /// The caller's run, with a lane for what is called so; nil outside virtual time.
    package init?(for name: String) {
        guard let run = VirtualRun.current else { return nil }
        (self.run, lane) = (run, Lane(name))
    }

    /// How far the run is.
    package var now: Instant { .zero + run.elapsed }

    /// Until when nothing else happens: now where something is ready, nil where nothing at all is planned.
    package var horizon: Instant? { run.hasWork ? now : run.nextInstant.map { .zero + ($0 - run.began) } }

    /// Does something on this lane at an instant.
    package func schedule(at instant: Instant, _ body: @escaping () -> Void) -> EventToken? {
        run.enqueue(on: lane, after: instant - now, body)
    }

    /// Takes back what was to be done.
    package func cancel(_ token: EventToken) { run.cancel(token) }

    /// Does something on the main actor, as soon as it is its turn.
    package func onMain(_ body: @escaping @MainActor () -> Void) {
        run.enqueue(on: run.mainLane) { MainActor.assumeIsolated { body() } }
    }

    /// Does something on the main actor after a while.
    package func onMain(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> EventToken? {
        run.enqueue(on: run.mainLane, after: delay) { MainActor.assumeIsolated { body() } }
    }
}
