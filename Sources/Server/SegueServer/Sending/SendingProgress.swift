import Synchronization

/// The progress of a connection with the pieces handed to it.
///
/// The writer of an asynchronous channel returns when a piece is in the channel's own queue, which holds many. Senders
/// wait here until the system has accepted the bytes.
final class SendingProgress: Sendable {
    private struct State {
        /// The number of pieces handed to the writer, and of those that the system accepted or that ended with the
        /// connection.
        var handed = 0
        var done = 0
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// The number of completed pieces; an unchanged number means that the client received nothing.
    var done: Int { state.withLock { $0.done } }

    /// True while a piece is incomplete.
    var isUnderWay: Bool { state.withLock { !$0.isOver && $0.done < $0.handed } }

    /// Counts a piece handed to the writer.
    func hand() { state.withLock { $0.handed += 1 } }

    /// Counts a completed piece.
    func finish() {
        change { state in state.done += 1 }
    }

    /// Ends all pieces with the connection.
    func end() {
        change { state in state.isOver = true }
    }

    /// Waits until all pieces are complete; only one task at a time sends.
    ///
    /// - Throws: `CancellationError`, also if the connection has ended.
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
