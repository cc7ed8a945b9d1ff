import SeguePlayer

/// Asks to run on in the background, and no longer than the platform allows.
@MainActor final class BackgroundHold {
    /// Less than what the platform gives: half a minute, since iOS 13.
    var longest = Duration.seconds(25)

    private let device: Device
    private var limit: Task<Void, Never>?

    init(_ device: Device) { self.device = device }

    func begin() {
        guard limit == nil else { return }
        device.beginBackgroundTask()
        limit = Task {
            try? await Task.sleep(for: longest)
            if !Task.isCancelled { end() }
        }
    }

    func end() {
        guard let limit else { return }
        limit.cancel()
        self.limit = nil
        device.endBackgroundTask()
    }
}
