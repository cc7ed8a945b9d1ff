internal import Dispatch
internal import SegueBase
internal import Synchronization

/// Keeps the machine's main queue busy while a run has the main actor to itself: nothing else that is on the main actor
/// runs beside it.
final class MainQueueHold: Sendable {
    /// What begins the run; nil once it has begun.
    private let beginning = Mutex<(@Sendable () -> Void)?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    /// Begins a run once the main queue is held, or without it where nobody serves the main queue in time.
    func begin(patience: Duration, _ run: @escaping @Sendable () -> Void) {
        beginning.withLock { $0 = run }
        DispatchQueue.main.async { [self] in if beginOnce() { isOver.wait() } }
        let seconds = DispatchTimeInterval.nanoseconds(Int(patience.wholeNanoseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in _ = beginOnce() }
    }

    /// The run is over.
    func end() { isOver.signal() }

    /// Begins it where it has not begun; whether it had not.
    private func beginOnce() -> Bool {
        guard let begin = beginning.withLock({ $0.take() }) else { return false }
        begin()
        return true
    }
}
