internal import Synchronization

/// A way to stop blocking work from another thread, or when its time is over.
///
/// libav checks it between reads, through its interrupt callback. The project's loops check it between packets.
package final class Cancellation: Sendable {
    /// Asks to be told; see ``whenCancelled(_:)``.
    package struct Registration: Sendable { fileprivate let number: UInt64 }

    private struct Listeners {
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var lastNumber: UInt64 = 0
    }

    private let cancelled = Atomic<Bool>(false)
    private let looks = Atomic<Int>(0)
    private let listeners = Mutex(Listeners())
    private let deadline: ContinuousClock.Instant?

    /// A cancellation that only ``cancel()`` triggers, or also the passing of a deadline.
    package init(deadline: ContinuousClock.Instant? = nil) { self.deadline = deadline }

    /// Stops the work; may be called from any thread, any number of times.
    package func cancel() {
        let actions = listeners.withLock { listeners in
            cancelled.store(true, ordering: .relaxed)
            defer { listeners.actions = [:] }
            return Array(listeners.actions.values)
        }
        for action in actions { action() }
    }

    /// Calls something once when ``cancel()`` is called, at once when it has been; a deadline that passes calls nothing.
    ///
    /// - Parameter action: Called on the thread that cancels; it must not block.
    /// - Returns: What to give to ``forget(_:)`` when there is no more interest.
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

    /// Takes a wish to be told back; an action that is being called is not waited for.
    package func forget(_ registration: Registration) {
        _ = listeners.withLock { $0.actions.removeValue(forKey: registration.number) }
    }

    /// Whether the work should stop.
    package var isCancelled: Bool {
        looks.add(1, ordering: .relaxed)
        if cancelled.load(ordering: .relaxed) { return true }
        guard let deadline else { return false }
        return ContinuousClock.now >= deadline
    }

    /// How often it was looked at: work that looks gets on.
    package var lookCount: Int { looks.load(ordering: .relaxed) }
}
