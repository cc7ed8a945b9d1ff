internal import SegueBase
internal import Synchronization

/// The pace of all requests of one run: at most a rate, and none to a server that wants to be left alone.
package final class RequestPace: Sendable {
    private struct State {
        /// The time of the next request that the rate allows.
        var next: ContinuousClock.Instant
        /// The time until which a server gets no requests, by its origin.
        var held: [String: ContinuousClock.Instant] = [:]
        /// The times of the last requests to a server, by its origin.
        var sent: [String: [ContinuousClock.Instant]] = [:]
    }

    /// A place in the sequence of requests.
    package struct Place: Sendable {
        /// The time at which the request may be sent.
        package let at: ContinuousClock.Instant
        /// The number of requests to the same server in the ten seconds before.
        package let before: Int
    }

    private static let window = Duration.seconds(10)
    private static let countLimit = 10_000

    /// The time between two requests; nil for no limit.
    private let interval: Duration?
    private let state: Mutex<State>

    /// - Parameter rate: The maximum number of requests per second; nil for no limit.
    package init(rate: Double? = nil) {
        interval = rate.map { .seconds(1 / $0) }
        state = Mutex(State(next: .now))
    }

    /// Takes the next place.
    package func place(for url: String, at now: ContinuousClock.Instant = .now) -> Place {
        let origin = FetchURL(url)?.origin ?? ""
        return state.withLock { state in
            var at = max(now, state.held[origin] ?? now)
            if let interval {
                at = max(at, state.next)
                state.next = at + interval
            }
            var sent = state.sent[origin, default: []]
            let old = sent.prefix { $0 < at - Self.window }.count
            sent.removeFirst(max(old, sent.count - Self.countLimit))
            let before = sent.count
            sent.append(at)
            state.sent[origin] = sent
            return Place(at: at, before: before)
        }
    }

    /// Keeps further requests from a server for a while.
    package func hold(_ url: String, for duration: Duration, at now: ContinuousClock.Instant = .now) {
        guard let origin = FetchURL(url)?.origin else { return }
        state.withLock { $0.held[origin] = max($0.held[origin] ?? now, now + duration) }
    }
}
