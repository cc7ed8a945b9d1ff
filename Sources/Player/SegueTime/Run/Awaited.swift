internal import SegueBase
internal import Synchronization

/// Something that is to happen a number of times, and that is waited for in virtual time.
///
/// It is what expectations of XCTest and confirmations of Swift Testing are made of.
package final class Awaited: Sendable {
    private struct State {
        var missing: Int
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    /// Something that has not happened yet.
    package init(count: Int) { state = Mutex(State(missing: count)) }

    /// How often it is still to happen; below zero where it happened more often.
    package var missing: Int { state.withLock { $0.missing } }

    /// It happens.
    package func happen() {
        let continuation = state.withLock { state in
            state.missing -= 1
            return state.missing == 0 ? state.continuation.take() : nil
        }
        continuation?.resume()
        VirtualRun.current?.signalled()
    }

    /// Waits until it has happened often enough, or time is over.
    package func wait(atMost limit: Duration) async {
        let clock = ContinuousClock()
        let patience = Task { [self] in
            try await Task.sleep(for: limit, clock: clock)
            end()
        }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard state.missing > 0 else { return true }
                state.continuation = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        patience.cancel()
    }

    /// Keeps the caller's thread until it has happened often enough, or time is over.
    package func block(atMost limit: Duration) {
        VirtualRun.current?.yield(for: "an expectation", until: { [self] in missing <= 0 }, atMost: limit)
    }

    private func end() { state.withLock { $0.continuation.take() }?.resume() }
}
