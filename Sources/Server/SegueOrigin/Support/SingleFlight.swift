import SegueConcurrency
import SegueFFmpeg

/// Work that concurrent callers share, and that stops only when no caller waits any more.
///
/// The first caller works on its own thread; the others block. A cancelled caller returns at once, except for the
/// first, whose thread continues for the others.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Flight: Sendable {
        struct State {
            var interested = 1
            var result: Result<Value, any Error>?
        }

        let work: Cancellation
        let state = Monitor(State())

        init(timeLimit: Duration) { work = Cancellation(deadline: .now + timeLimit) }

        /// Adds a caller, unless all have left.
        func join() -> Bool {
            state.withLock { state in
                guard state.interested > 0 else { return false }
                state.interested += 1
                return true
            }
        }

        /// Removes a caller; true for the last.
        func leave() -> Bool {
            state.withLock { state in
                state.interested -= 1
                return state.interested == 0
            }
        }

        /// Blocks until a number of callers wait.
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

    /// Creates a group without work.
    ///
    /// - Parameter timeLimit: The time limit of one piece of work, after which it is cancelled.
    init(timeLimit: Duration = .seconds(600)) { self.timeLimit = timeLimit }

    /// Returns the result of `make` for a key, from this call or from one in progress.
    ///
    /// - Parameters:
    ///   - cancellation: Stops the work of this caller; the work itself is cancelled with the last caller.
    /// - Returns: The result.
    /// - Throws: The error of `make`, or ``OriginFailure/cancelled`` if the caller is cancelled.
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
            // Later callers start again.
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

    /// Blocks until a number of callers wait for a key; for tests.
    func waitForCallers(_ count: Int, of key: Key) {
        flights.withLock { $0[key] }?.waitForCallers(count)
    }
}
