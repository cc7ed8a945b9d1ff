internal import Foundation

/// A task that waits for a response, resumed once.
final class FetchWaiting: @unchecked Sendable {
    // Sendable, as all state is accessed only with `lock` locked.
    private let lock = NSLock()
    private var continuation: CheckedContinuation<FetchAnswer, any Error>?
    private var early: Result<FetchAnswer, any Error>?

    /// Stores the continuation; returns false if the result is already known.
    func hold(_ continuation: CheckedContinuation<FetchAnswer, any Error>) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        if let early {
            continuation.resume(with: early)
            return false
        }
        self.continuation = continuation
        return true
    }

    /// Resumes the task, now or as soon as it waits; later results are ignored.
    func end(_ result: Result<FetchAnswer, any Error>) {
        lock.lock()
        defer { lock.unlock() }
        if let continuation { continuation.resume(with: result) } else { early = early ?? result }
        continuation = nil
    }
}
