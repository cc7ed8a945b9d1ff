internal import Synchronization

/// Cancels blocking work from another thread or at a deadline.
///
/// libav checks it between reads through its interrupt callback; this project's loops check it between packets.
package final class Cancellation: Sendable {
    /// A registration with ``whenCancelled(_:)``.
    package struct Registration: Sendable { fileprivate let number: UInt64 }

    private struct Listeners {
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var lastNumber: UInt64 = 0
    }

    private let cancelled = Atomic<Bool>(false)
    private let looks = Atomic<Int>(0)
    private let listeners = Mutex(Listeners())
    private let deadline: ContinuousClock.Instant?

    /// Creates a cancellation that ``cancel()`` triggers, and optionally a deadline.
    package init(deadline: ContinuousClock.Instant? = nil) { self.deadline = deadline }

    /// Cancels the work, from any thread and any number of times.
    package func cancel() {
        let actions = listeners.withLock { listeners in
            cancelled.store(true, ordering: .relaxed)
            defer { listeners.actions = [:] }
            return Array(listeners.actions.values)
        }
        for action in actions { action() }
    }

    /// Registers an action for ``cancel()``, which runs at once if that has been called; a deadline does not run it.
    ///
    /// - Parameter action: Runs on the cancelling thread and must not block.
    /// - Returns: The registration for ``forget(_:)``.
    package func whenCancelled(_ action: @escaping @Sendable () -> Void) -> Registration {
        let registration: Registration? = listeners.withLock { listeners in
            guard !cancelled.load(ordering: .relaxed) else { return nil }
            listeners.lastNumber += 1
            listeners.actions[listeners.lastNumber] = action
            return Registration(number: listeners.lastNumber)
        }
        if let registration { return registration }
        action()
        return Registration(number: 0)
    }

    /// Removes a registration, without waiting for an action that is running.
    package func forget(_ registration: Registration) {
        _ = listeners.withLock { $0.actions.removeValue(forKey: registration.number) }
    }

    package var isCancelled: Bool {
        looks.add(1, ordering: .relaxed)
        if cancelled.load(ordering: .relaxed) { return true }
        guard let deadline else { return false }
        return ContinuousClock.now >= deadline
    }

    /// The number of checks so far, as a sign of progress.
    package var lookCount: Int { looks.load(ordering: .relaxed) }
}
