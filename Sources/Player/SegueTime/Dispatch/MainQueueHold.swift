internal import Dispatch
internal import SegueBase
internal import Synchronization

/// Blocks the real main queue while a run owns the main actor, so that no other work runs on it.
final class MainQueueHold: Sendable {
    /// Begins the run; nil once it has begun.
    private let beginning = Mutex<(@Sendable () -> Void)?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    /// Begins a run when the main queue is held, or without it if nothing serves the main queue in time.
    func begin(patience: Duration, _ run: @escaping @Sendable () -> Void) {
        beginning.withLock { $0 = run }
        DispatchQueue.main.async { [self] in if beginOnce() { isOver.wait() } }
        let seconds = DispatchTimeInterval.nanoseconds(Int(patience.wholeNanoseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in _ = beginOnce() }
    }

    /// Releases the main queue.
    func end() { isOver.signal() }

    /// Begins the run if it has not begun, and returns whether it did.
    private func beginOnce() -> Bool {
        guard let begin = beginning.withLock({ $0.take() }) else { return false }
        begin()
        return true
    }
}
