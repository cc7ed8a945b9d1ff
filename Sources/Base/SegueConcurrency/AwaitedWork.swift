internal import Foundation
internal import Synchronization

/// What another process does for a thread of this one that waits for it: so that it counts as the thread's own work.
package final class AwaitedWork: Sendable {
    private static let key = "segue.awaited"

    private let nanoseconds = Atomic<Int64>(0)
    private let waits = Atomic<Int>(0)

    /// The calling thread's.
    package static var ofThisThread: AwaitedWork {
        let values = Thread.current.threadDictionary
        if let known = values[key] as? AwaitedWork { return known }
        let new = AwaitedWork()
        values[key] = new
        return new
    }

    private init() {}

    /// The processor time that was used for the thread so far.
    package var time: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

    /// Whether the thread waits now for somebody whose standing still is noticed by another than who watches the thread.
    package var isGuarded: Bool { waits.load(ordering: .relaxed) > 0 }

    /// Adds processor time.
    package func add(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        nanoseconds.add(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000, ordering: .relaxed)
    }

    /// Waits for somebody who is looked after.
    package func guarded<Value>(_ wait: () throws -> Value) rethrows -> Value {
        waits.add(1, ordering: .relaxed)
        defer { waits.subtract(1, ordering: .relaxed) }
        return try wait()
    }
}
