internal import Foundation
internal import Synchronization

/// The processor time of another process that a thread of this process waits for.
package final class AwaitedWork: Sendable {
    private static let key = "segue.awaited"

    private let nanoseconds = Atomic<Int64>(0)
    private let waits = Atomic<Int>(0)

    /// The instance of the calling thread.
    package static var ofThisThread: AwaitedWork {
        let values = Thread.current.threadDictionary
        if let known = values[key] as? AwaitedWork { return known }
        let new = AwaitedWork()
        values[key] = new
        return new
    }

    private init() {}

    /// The processor time used for the thread so far.
    package var time: Duration { .nanoseconds(nanoseconds.load(ordering: .relaxed)) }

    /// True if the thread waits for a process with a watchdog of its own.
    package var isGuarded: Bool { waits.load(ordering: .relaxed) > 0 }

    package func add(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        nanoseconds.add(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000, ordering: .relaxed)
    }

    /// Waits for a process with a watchdog of its own.
    package func guarded<Value>(_ wait: () throws -> Value) rethrows -> Value {
        waits.add(1, ordering: .relaxed)
        defer { waits.subtract(1, ordering: .relaxed) }
        return try wait()
    }
}
