import SegueConcurrency
import SegueFFmpeg

/// Work that several callers may want at once is done once, and stops only when no caller waits any more.
///
/// The first caller does the work on its own thread; the others block until it is done. A caller that is cancelled
/// leaves at once, but for the first, whose thread goes on for the sake of those who still wait.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// One piece of work in the making.
    private final class Flight: Sendable {
        struct State {
            var interested = 1
            var result: Result<Value, any Error>?
        }

        let work: Cancellation
        let state = Monitor(State())

        init(timeLimit: Duration) { work = Cancellation(deadline: .now + timeLimit) }

        /// Counts one more caller, unless everyone had left already.
        func join() -> Bool {
            state.withLock { state in
                guard state.interested > 0 else { return false }
                state.interested += 1
                return true
            }
        }

        /// Counts one caller less; true for the last.
        func leave() -> Bool {
            state.withLock { state in
                state.interested -= 1
                return state.interested == 0
            }
        }

        /// Blocks until so many callers want the result.
        func waitForCallers(_ count: Int) { state.wait(for: { $0.interested >= count }) }

        /// Blocks until the work is done or the caller is cancelled.
        func wait(_ cancellation: Cancellation) throws -> Value {
            let result: Result<Value, any Error> = state.wait { state in
                state.result ?? (cancellation.isCancelled ? .failure(OriginFailure.cancelled) : nil)
            }
            return try result.get()
        }
    }

    private let flights = Monitor<[Key: Flight]>([:])
    private let timeLimit: Duration

    /// Nothing in the making.
    ///
    /// - Parameter timeLimit: How long one piece of work may take; it is cancelled then.
    init(timeLimit: Duration = .seconds(600)) { self.timeLimit = timeLimit }

    /// Returns what `make` returns for the key, from this call or from one that is under way.
    ///
    /// - Parameters:
    ///   - key: What is wanted.
    ///   - cancellation: The caller's own; the work has another, cancelled when the last caller has gone.
    ///   - make: The work.
    /// - Returns: What the work made.
    /// - Throws: What `make` throws, or ``OriginFailure/cancelled`` when the caller was cancelled.
    func value(
        for key: Key,
        cancellation: Cancellation,
        make: (Cancellation) throws -> Value
    ) throws -> Value {
        if cancellation.isCancelled { throw OriginFailure.cancelled }
        let (flight, isFirst) = flights.withLock { flights in
            if let flight = flights[key], flight.join() { return (flight, false) }
            let flight = Flight(timeLimit: timeLimit)
            flights[key] = flight
            return (flight, true)
        }
        let registration = cancellation.whenCancelled { [flights] in
            guard flight.leave() else { return }
            // Whoever comes from now on starts anew.
            flights.withLock { if $0[key] === flight { $0[key] = nil } }
            flight.work.cancel()
        }
        defer { cancellation.forget(registration) }
        guard isFirst else { return try flight.wait(cancellation) }

        let result = Result { try make(flight.work) }
        flights.withLock { if $0[key] === flight { $0[key] = nil } }
        flight.state.withLock { $0.result = result }
        return try result.get()
    }

    /// Blocks until so many callers want what is in the making for the key; a test's way to know that they have come.
    func waitForCallers(_ count: Int, of key: Key) {
        flights.withLock { $0[key] }?.waitForCallers(count)
    }
}
