import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// Watches a worker while somebody waits for it: whether it gets on, what memory it takes, and what time.
struct WorkerWatch {
    /// How often to look, in milliseconds: memory has no event to wait for.
    static let interval: Int32 = 100

    /// How long quick work takes at most.
    private static let untilHeld = Duration.seconds(1)

    private let process: StartedProcess
    private let setting: Worker.Setting
    private let question: UInt32
    private let tell: (UInt32) -> Void
    private let awaited = AwaitedWork.ofThisThread
    private let begun = ContinuousClock.now
    private var looked = ContinuousClock.now
    private var heard = ContinuousClock.now
    private var cancelled: ContinuousClock.Instant?
    private var isHeld = false
    private var processorTime: Duration

    /// A watch that begins now.
    ///
    /// - Parameters:
    ///   - process: The process.
    ///   - setting: What it may use.
    ///   - question: What it is at.
    ///   - tell: Tells it that nobody waits for that any more.
    init(_ process: StartedProcess, _ setting: Worker.Setting, question: UInt32, tell: @escaping (UInt32) -> Void) {
        (self.process, self.setting, self.question, self.tell) = (process, setting, question, tell)
        processorTime = process.processorTime
    }

    /// Notes that it said something.
    mutating func hear() { heard = .now }

    /// Looks, where the last look was some time ago.
    ///
    /// - Returns: Why it is to be ended; nil where it is not.
    mutating func look() -> WorkerFailure? {
        let now = ContinuousClock.now
        guard now - looked >= .milliseconds(Self.interval) / 2 else { return nil }
        looked = now
        finish()
        if setting.cancellation.isCancelled {
            if cancelled == nil {
                cancelled = now
                tell(question)
            }
            if let cancelled, now - cancelled > Worker.afterCancellation { return .cancelled }
        }
        if !isHeld, now - begun > Self.untilHeld {
            isHeld = true
            setting.whenHeld()
        }
        if process.residentBytes > setting.limits.memory { return .memory(setting.limits.memory) }
        if now - heard > setting.limits.patience { return .stoodStill(setting.limits.patience) }
        if now - begun > setting.limits.time { return .tookTooLong(setting.limits.time) }
        return nil
    }

    /// Counts its processor time as that of the thread which waits.
    mutating func finish() {
        let time = process.processorTime
        if time > processorTime { awaited.add(time - processorTime) }
        processorTime = max(time, processorTime)
    }
}
