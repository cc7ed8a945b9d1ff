internal import Foundation

/// A value behind a lock, for threads that wait until it changes.
///
/// Only for threads that may block: those that were made for such work, or a simulation's. A task never waits here.
package final class Monitor<State>: @unchecked Sendable {
    // Sendable, since `state` is touched with `condition` locked and in no other way.
    private let condition = NSCondition()
    private var state: State

    /// Puts a value behind a lock.
    package init(_ state: sending State) { self.state = state }

    /// Reads or changes the value, and wakes everyone who waits for a change.
    package func withLock<Result: Sendable>(_ body: (inout State) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body(&state)
    }

    /// Waits until the value fulfils a condition.
    package func wait(for condition: (State) -> Bool) { wait { condition($0) ? () : nil } }

    /// Waits until the value is such that `body` returns something.
    ///
    /// - Parameter body: Looks at the value, and may change it when it returns something.
    /// - Returns: What it returns.
    package func wait<Result: Sendable>(until body: (inout State) -> Result?) -> Result {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = body(&state) {
                // What `body` changed may be what another one waits for.
                condition.broadcast()
                return result
            }
            condition.wait()
        }
    }
}
