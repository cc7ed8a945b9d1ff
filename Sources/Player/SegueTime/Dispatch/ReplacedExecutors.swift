@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import CSegueTime
internal import Dispatch
internal import SegueBase

// All that Segue uses of Swift's standard library that is not promised to stay. It holds for Swift 6.3, which
// `ReplacedExecutorsTests` states; for another release this file is what has to be looked at.

/// The main and the default executor of Swift's concurrency, in place of the platform's.
///
/// On threads of a run of virtual time jobs go to the run; on all others to libdispatch, as without Segue.
enum ReplacedExecutors: ExecutorFactory {
    static let main = ReplacedMainExecutor()
    static let pool = ReplacedPoolExecutor()

    static var mainExecutor: any MainExecutor { main }
    static var defaultExecutor: any TaskExecutor { pool }

    /// The releases of Swift for which this was found to hold.
    static let releases = "6.3"

    /// Puts them in place, once for the process; whether this release of Swift asks them.
    static let areInPlace: Bool = {
        _createExecutors(factory: ReplacedExecutors.self)
        let probe = VirtualRun.probe()
        probe.adopt { Task {} }
        return probe.hasWork
    }()

    /// A job's task, as a number.
    static func task(of job: UnownedJob) -> UInt64 {
        segue_time_task_of_job(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
    }
}

/// What both executors have in common.
protocol ReplacedExecutor: SchedulingExecutor {
    /// Runs a job as this executor, on the caller's thread.
    func perform(_ job: UnownedJob)

    /// The lane of a run that its jobs are on; nil where each is something of its own.
    func lane(of run: VirtualRun) -> Lane?

    /// The queue that runs its jobs outside virtual time.
    func queue(for priority: JobPriority) -> DispatchQueue
}

extension ReplacedExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let priority = job.priority, job = UnownedJob(job)
        if let run = VirtualRun.takes(job) { return run.enqueue(on: lane(of: run)) { self.perform(job) } }
        queue(for: priority).async { self.perform(job) }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        after delay: C.Duration,
        tolerance: C.Duration?,
        clock: C
    ) {
        let priority = job.priority, job = UnownedJob(job)
        // A clock that does not count in seconds has no moment in any other time.
        let delay = delay as? Duration ?? .zero
        if let run = VirtualRun.takes(job) {
            run.enqueue(on: lane(of: run), after: delay) { self.perform(job) }
            return
        }
        queue(for: priority).asyncAfter(deadline: .now() + .nanoseconds(Int(delay.wholeNanoseconds))) {
            self.perform(job)
        }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        at instant: C.Instant,
        tolerance: C.Duration?,
        clock: C
    ) {
        enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
    }
}

/// The main actor's executor: the main queue's lane in virtual time, else the main queue.
final class ReplacedMainExecutor: MainExecutor, ReplacedExecutor {
    func perform(_ job: UnownedJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
    func lane(of run: VirtualRun) -> Lane? { run.mainLane }
    func queue(for priority: JobPriority) -> DispatchQueue { .main }

    // Within a run it is the run that is asked whether the main queue's lane is in hand.
    func checkIsolated() { dispatchPrecondition(condition: .onQueue(.main)) }

    func run() throws { dispatchMain() }
    func stop() {}
}

/// The default executor: the run in virtual time, else the global queues.
final class ReplacedPoolExecutor: TaskExecutor, ReplacedExecutor {
    func perform(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    func lane(of run: VirtualRun) -> Lane? { nil }
    func queue(for priority: JobPriority) -> DispatchQueue { .global(qos: priority.queueClass) }
}

extension JobPriority {
    /// The class of the global queue that serves jobs of this priority.
    fileprivate var queueClass: DispatchQoS.QoSClass {
        switch TaskPriority(rawValue: rawValue) {
        case .high: .userInitiated
        case .medium: .default
        case .low: .utility
        case .background: .background
        default: rawValue >= TaskPriority.high.rawValue ? .userInteractive : .default
        }
    }
}
