internal import SegueBase
internal import SegueEvents

/// Distinguishes a worker that hangs from one that is slow, by periodic samples.
struct HangDetector {
    /// A sample of a worker.
    struct Look {
        /// Wall-clock seconds since the start.
        var seconds: Double
        /// Processor time of the worker in seconds.
        var processor: Double
        /// The size of its progress report; any change is progress.
        var told: Int64
    }

    private let limits: FileLimits
    /// The sample with the last progress.
    private var progress: Look
    /// The sample with the last activity.
    private var life: Look

    /// `toldAtStart` is the initial size of the progress report.
    init(limits: FileLimits, toldAtStart: Int64) {
        self.limits = limits
        progress = Look(seconds: 0, processor: 0, told: toldAtStart)
        life = progress
    }

    /// Evaluates a sample.
    ///
    /// - Returns: The reason why the worker hangs; nil if it does not.
    mutating func words(on look: Look) -> Message? {
        if look.told != progress.told {
            progress = look
            life = look
            return nil
        }
        // A worker that only wakes up to find nothing to do is idle.
        if look.processor > life.processor + max(0.1, (look.seconds - life.seconds) / 100) { life = look }
        if look.processor - progress.processor > limits.busySeconds {
            return "made no progress in \(Self.number(limits.busySeconds)) s of processor time"
        }
        if look.seconds - life.seconds > limits.idleSeconds {
            return "was idle for \(Self.number(limits.idleSeconds)) s"
        }
        return nil
    }

    private static func number(_ seconds: Double) -> Message { "\(seconds, as: EventValue.number(seconds).json)" }
}
