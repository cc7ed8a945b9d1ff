internal import Dispatch
internal import Synchronization
internal import Timeline

/// Keeps the machine's main queue busy while a run has the main actor to itself: nothing else that is on the main actor
/// runs beside it.
final class MainQueueHold: Sendable {
    private let hasBegun = Atomic<Bool>(false)
    private let isOver = DispatchSemaphore(value: 0)

    /// Begins a run once the main queue is held, or without it where nobody serves the main queue.
    func begin(patience: Duration, _ run: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async { [self] in
            guard begin(run) else { return }
            isOver.wait()
        }
        let seconds = DispatchTimeInterval.nanoseconds(Int(patience.wholeNanoseconds))
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in _ = begin(run) }
    }

    /// The run is over.
    func end() { isOver.signal() }

    private func begin(_ run: @Sendable () -> Void) -> Bool {
        guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        run()
        return true
    }
}
