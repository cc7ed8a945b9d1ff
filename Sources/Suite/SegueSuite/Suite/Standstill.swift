internal import SegueBase
internal import SegueEvents

/// Tells a worker that stands still from one that is slow, by looking at it now and then.
struct Standstill {
    /// What is seen of a worker at a moment.
    struct Look {
        /// Seconds on the clock since the watch began.
        var seconds: Double
        /// Seconds of processor time that the worker has used.
        var processor: Double
        /// How much it has told of its progress; any change is progress.
        var told: Int64
    }

    private let limits: FileLimits
    /// When it last told of progress.
    private var progress: Look
    /// When it was last seen to have worked or to have told of progress.
    private var life: Look

    /// A watch that begins.
    ///
    /// - Parameters:
    ///   - limits: What the worker may use.
    ///   - toldAtStart: How much there is before the worker tells anything.
    init(limits: FileLimits, toldAtStart: Int64) {
        self.limits = limits
        progress = Look(seconds: 0, processor: 0, told: toldAtStart)
        life = progress
    }

    /// Looks at the worker.
    ///
    /// - Parameter look: What is seen, later than the look before.
    /// - Returns: Why it stands still; nil where it does not, or may yet go on.
    mutating func words(on look: Look) -> String? {
        if look.told != progress.told {
            progress = look
            life = look
            return nil
        }
        // What wakes up now and then to find nothing to do does not work.
        if look.processor > life.processor + max(0.1, (look.seconds - life.seconds) / 100) { life = look }
        if look.processor - progress.processor > limits.busySeconds {
            return "has come no further in \(Self.number(limits.busySeconds)) s of work"
        }
        if look.seconds - life.seconds > limits.idleSeconds {
            return "has not moved for \(Self.number(limits.idleSeconds)) s"
        }
        return nil
    }

    private static func number(_ seconds: Double) -> String { EventValue.number(seconds).json }
}
