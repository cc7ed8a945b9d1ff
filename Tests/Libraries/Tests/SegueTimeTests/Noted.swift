import Synchronization

/// A record of events in order, from any thread.
final class Noted<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    func note(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }
}
