internal import Foundation

/// A value behind a lock, with blocking waits for changes.
///
/// Only threads that may block wait here, never tasks.
package final class Monitor<State>: @unchecked Sendable {
    // Sendable, as `state` is accessed only with `condition` locked.
    private let condition = NSCondition()
    private var state: State

    package init(_ state: sending State) { self.state = state }

    /// Reads or changes the value, and wakes all waiting threads.
    package func withLock<Result: Sendable>(_ body: (inout State) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body(&state)
    }

    /// Waits until the value meets a condition.
    package func wait(for condition: (State) -> Bool) { wait { condition($0) ? () : nil } }

    /// Waits until `body` returns a value.
    ///
    /// - Parameter body: Reads the state, and may change it when it returns a value.
    /// - Returns: The value.
    package func wait<Result: Sendable>(until body: (inout State) -> Result?) -> Result {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = body(&state) {
                // Another thread may wait for the change made by `body`.
                condition.broadcast()
                return result
            }
            condition.wait()
        }
    }
}
