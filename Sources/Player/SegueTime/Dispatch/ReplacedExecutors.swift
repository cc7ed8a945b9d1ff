@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency
internal import CSegueTime
internal import Dispatch
internal import SegueBase

// This file contains every use of unstable interfaces of Swift's standard library. It supports Swift 6.3, which
// `ReplacedExecutorsTests` checks. Another release requires a review of this file.

/// Replacements of the main and the default executor of Swift concurrency.
///
/// On threads of a run of virtual time, jobs go to the run; on all others, to libdispatch, as without Segue.
enum ReplacedExecutors: ExecutorFactory {
    static let main = ReplacedMainExecutor()
    static let pool = ReplacedPoolExecutor()

    static var mainExecutor: any MainExecutor { main }
    static var defaultExecutor: any TaskExecutor { pool }

    /// The supported releases of Swift.
    static let releases = "6.3"

    /// Installs them, once per process; false if this release of Swift does not use them.
    static let areInPlace: Bool = {
        _createExecutors(factory: ReplacedExecutors.self)
        let probe = VirtualRun.probe()
        probe.adopt { Task {} }
        return probe.hasWork
    }()

    /// Returns the ID of a job's task.
    static func task(of job: UnownedJob) -> UInt64 {
        segue_time_task_of_job(unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
    }
}

/// The common part of both executors.
protocol ReplacedExecutor: SchedulingExecutor {
    /// Runs a job as this executor, on the caller's thread.
    func perform(_ job: UnownedJob)

    /// Returns the lane of its jobs in a run; nil if each job is independent.
    func lane(of run: VirtualRun) -> Lane?

    /// Returns the queue of its jobs outside of virtual time.
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
        // A clock that does not count in seconds has no equivalent instant in another clock.
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

/// The executor of the main actor: the lane of the main queue in virtual time, and otherwise the main queue.
final class ReplacedMainExecutor: MainExecutor, ReplacedExecutor {
    func perform(_ job: UnownedJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
    func lane(of run: VirtualRun) -> Lane? { run.mainLane }
    func queue(for priority: JobPriority) -> DispatchQueue { .main }

    // Within a run, the run checks whether the lane of the main queue is in progress.
    func checkIsolated() { dispatchPrecondition(condition: .onQueue(.main)) }

    func run() throws { dispatchMain() }
    func stop() {}
}

/// The default executor: the run in virtual time, and otherwise the global queues.
final class ReplacedPoolExecutor: TaskExecutor, ReplacedExecutor {
    func perform(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    func lane(of run: VirtualRun) -> Lane? { nil }
    func queue(for priority: JobPriority) -> DispatchQueue { .global(qos: priority.queueClass) }
}

extension JobPriority {
    /// The class of the global queue for jobs of this priority.
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
