internal import SegueConcurrency
internal import SegueFFmpeg

/// A value computed on a background thread before it is needed.
package final class ValueAhead<Value: Sendable>: Sendable {
    private let state = Monitor<Value?>(nil)

    package init(make: @escaping @Sendable () -> Value) {
        WorkThread.begin("value ahead") { [state] in
            let value = make()
            state.withLock { $0 = value }
        }
    }

    /// The value; blocks until it is ready.
    package var value: Value { state.wait { $0 } }
}
