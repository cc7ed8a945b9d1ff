internal import Foundation

/// A task that waits for an answer, resumed once.
final class FetchWaiting: @unchecked Sendable {
    // Sendable: everything is only touched with `lock` locked.
    private let lock = NSLock()
    private var continuation: CheckedContinuation<FetchAnswer, any Error>?
    private var early: Result<FetchAnswer, any Error>?

    /// Keeps what waits; false where the end has come before.
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

    /// Resumes what waits, or what will wait; what comes after the first end is nothing.
    func end(_ result: Result<FetchAnswer, any Error>) {
        lock.lock()
        defer { lock.unlock() }
        if let continuation { continuation.resume(with: result) } else { early = early ?? result }
        continuation = nil
    }
}
