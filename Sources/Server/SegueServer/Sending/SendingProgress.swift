import Synchronization

/// How far a connection has come with what it was handed.
///
/// The writer of an asynchronous channel returns when a piece is in the channel's own queue, and many may be there before
/// the channel says that it has enough. So whoever sends waits here until the system has taken what was handed over.
final class SendingProgress: Sendable {
    private struct State {
        /// Pieces handed to the writer, and those that are gone: to the system, or with the connection.
        var handed = 0
        var done = 0
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// How many pieces are gone; the same twice means that the client took nothing in between.
    var done: Int { state.withLock { $0.done } }

    /// Whether a piece was handed over that is not gone yet.
    var isUnderWay: Bool { state.withLock { !$0.isOver && $0.done < $0.handed } }

    /// Says that a piece is handed to the writer now.
    func hand() { state.withLock { $0.handed += 1 } }

    /// Says that one more piece is gone.
    func finish() {
        change { state in state.done += 1 }
    }

    /// Says that the connection has ended: nothing is under way any more.
    func end() {
        change { state in state.isOver = true }
    }

    /// Waits until all that was handed over is gone; only one task at a time sends.
    ///
    /// - Throws: `CancellationError`, also when the connection has ended.
    func settle() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isSettled = state.withLock { state in
                    if state.isOver || state.done >= state.handed || Task.isCancelled { return true }
                    state.waiting = continuation
                    return false
                }
                if isSettled { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }?.resume()
        }
        guard !Task.isCancelled, !state.withLock({ $0.isOver }) else { throw CancellationError() }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            body(&state)
            guard state.isOver || state.done >= state.handed else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
