internal import Foundation
internal import SegueFetch
internal import Synchronization

/// A call of the server's handler with a timeout.
struct HandlerCall: Sendable {
    let handler: StreamCheck.Handler
    let patience: Duration

    /// Returns the response of the handler; an error if it throws or times out.
    func answer(_ request: ServerRequest) async -> Result<ServerAnswer, FetchError> {
        let ending = Ending()
        let work = Task {
            do {
                ending.end(.success(try await handler(request)))
            } catch {
                ending.end(.failure(FetchError(.connectionLost, "the server's code threw \(error)")))
            }
        }
        let bound = Task {
            // The timeout of the user's code, cancelled when that code returns.
            try await Task.sleep(for: patience)
            ending.end(.failure(FetchError(.timedOut, "the server's code took longer than \(patience)")))
            work.cancel()
        }
        defer { bound.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { ending.hold($0) }
        } onCancel: {
            work.cancel()
            ending.end(.failure(FetchError(.timedOut, "the check was cancelled")))
        }
    }

    /// The outcome of a call; the first one wins.
    private final class Ending: Sendable {
        typealias Outcome = Result<ServerAnswer, FetchError>

        private struct State {
            var outcome: Outcome?
            var continuation: CheckedContinuation<Outcome, Never>?
        }

        private let state = Mutex(State())

        func hold(_ continuation: CheckedContinuation<Outcome, Never>) {
            let outcome = state.withLock { state in
                if state.outcome == nil { state.continuation = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }

        func end(_ outcome: Outcome) {
            let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
                guard state.outcome == nil else { return nil }
                state.outcome = outcome
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume(returning: outcome)
        }
    }
}
