internal import SegueBase
internal import Synchronization

/// An event that must happen a number of times, with a wait in virtual time.
///
/// It is the basis of XCTest expectations and Swift Testing confirmations.
package final class Awaited: Sendable {
    private struct State {
        var missing: Int
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    package init(count: Int) { state = Mutex(State(missing: count)) }

    /// The number of times still missing; negative if it happened more often.
    package var missing: Int { state.withLock { $0.missing } }

    package func happen() {
        let continuation = state.withLock { state in
            state.missing -= 1
            return state.missing == 0 ? state.continuation.take() : nil
        }
        continuation?.resume()
        VirtualRun.current?.signalled()
    }

    /// Waits until it has happened often enough, or the time limit passes.
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

    /// Blocks the caller's thread until it has happened often enough, or the time limit passes.
    package func block(atMost limit: Duration) {
        VirtualRun.current?.yield(for: "an expectation", until: { [self] in missing <= 0 }, atMost: limit)
    }

    private func end() { state.withLock { $0.continuation.take() }?.resume() }
}
