import SeguePlayer

/// Holds a background task, no longer than the platform allows.
@MainActor final class BackgroundHold {
    /// Less than the platform's limit, half a minute since iOS 13.
    var longest = Duration.seconds(25)

    private let device: Device
    private var ending: Task<Void, Never>?
    private var isReleased = false

    init(_ device: Device) { self.device = device }

    /// Begins to wait.
    func begin() {
        guard ending == nil || isReleased else { return }
        // A task that is about to end is kept: all share one time limit, and another would have to be ended too.
        if ending == nil { device.beginBackgroundTask() }
        isReleased = false
        end(after: longest)
    }

    /// Ends the task a moment after the wait, when audio needs no task any more.
    func release() {
        guard ending != nil, !isReleased else { return }
        isReleased = true
        end(after: .seconds(2))
    }

    /// Ends the wait.
    func end() {
        guard let ending else { return }
        ending.cancel()
        self.ending = nil
        device.endBackgroundTask()
    }

    private func end(after time: Duration) {
        ending?.cancel()
        ending = Task {
            try? await Task.sleep(for: time)
            if !Task.isCancelled { end() }
        }
    }
}
