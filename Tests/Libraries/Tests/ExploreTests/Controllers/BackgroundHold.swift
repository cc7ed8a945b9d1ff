import SeguePlayer

/// Asks to run on in the background, and no longer than the platform allows.
@MainActor final class BackgroundHold {
    /// Less than what the platform gives: half a minute, since iOS 13.
    var longest = Duration.seconds(25)

    private let device: Device
    private var ending: Task<Void, Never>?
    private var isReleased = false

    init(_ device: Device) { self.device = device }

    /// Something is awaited.
    func begin() {
        guard ending == nil || isReleased else { return }
        // One that is about to be ended is held on: the time is the same for all, and another would have to be ended too.
        if ending == nil { device.beginBackgroundTask() }
        isReleased = false
        end(after: longest)
    }

    /// It is there: what is heard for a moment needs no task any more.
    func release() {
        guard ending != nil, !isReleased else { return }
        isReleased = true
        end(after: .seconds(2))
    }

    /// Nothing is awaited any more.
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
