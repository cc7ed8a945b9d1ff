internal import SegueConcurrency
internal import SegueFFmpeg

/// A value that a thread of its own makes before it is requested.
package final class ValueAhead<Value: Sendable>: Sendable {
    private let state = Monitor<Value?>(nil)

    /// Begins to make the value.
    package init(make: @escaping @Sendable () -> Value) {
        WorkThread.begin("value ahead") { [state] in
            let value = make()
            state.withLock { $0 = value }
        }
    }

    /// The value; blocks until it is made.
    package var value: Value { state.wait { $0 } }
}
