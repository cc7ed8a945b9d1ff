import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// A watch over a busy worker: its progress, memory, and time.
struct WorkerMonitor {
    /// The interval of checks in milliseconds: there is no event for memory.
    static let interval: Int32 = 100

    /// The maximum time of short work.
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

    init(_ process: StartedProcess, _ setting: Worker.Setting, question: UInt32, tell: @escaping (UInt32) -> Void) {
        (self.process, self.setting, self.question, self.tell) = (process, setting, question, tell)
        processorTime = process.processorTime
    }

    /// Records a sign of life.
    mutating func hear() { heard = .now }

    /// Checks the worker if the last check was some time ago.
    ///
    /// - Returns: The reason to end it, or nil.
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

    /// Adds the worker's processor time to that of the waiting thread.
    mutating func finish() {
        let time = process.processorTime
        if time > processorTime { awaited.add(time - processorTime) }
        processorTime = max(time, processorTime)
    }
}
