package import SegueBase

/// The event loop of a run in virtual time, as a simulated fetcher uses it.
package struct FetchLoop {
    let deliver: (FetchEvent, Instant) -> Void
    let wake: (Instant) -> Void
    let horizon: () -> Instant?

    /// Creates the loop of a fetcher.
    ///
    /// - Parameters:
    ///   - deliver: Schedules an event of a request for the present instant, with the priority of arrivals.
    ///   - wake: Schedules a call of ``SimulatedFetcher/wake(at:)``; unnecessary calls are harmless.
    ///   - horizon: The instant before which nothing happens except on the link; nil if nothing is scheduled. Events on
    ///     the link before it that need no delivery do not need a call each.
    package init(
        deliver: @escaping (FetchEvent, Instant) -> Void,
        wake: @escaping (Instant) -> Void,
        horizon: @escaping () -> Instant? = { .zero }
    ) {
        (self.deliver, self.wake, self.horizon) = (deliver, wake, horizon)
    }
}
