import Synchronization

/// A continuation that is resumed with the first value; later ones are dropped.
final class FirstValue<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value, Never>?
        var early: Value?
        var isGiven = false
    }

    private let state = Mutex(State())

    func wait(_ begin: () -> Void) async -> Value {
        await withCheckedContinuation { continuation in
            let early: Value? = state.withLock { state in
                if state.early == nil { state.continuation = continuation }
                return state.early
            }
            if let early { return continuation.resume(returning: early) }
            begin()
        }
    }

    /// Resumes the continuation, unless that has happened.
    func give(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            guard !state.isGiven else { return nil }
            state.isGiven = true
            if state.continuation == nil { state.early = value }
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: value)
    }
}
