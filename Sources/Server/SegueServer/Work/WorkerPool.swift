import Dispatch
import SegueConcurrency
import SegueFFmpeg

/// A pool of threads for blocking work, in lanes with bounded queues.
///
/// Short work does not wait for long work: long work has threads of its own, work that turns out to be long moves there
/// the next time, and another thread replaces one that is busy for long. A job that hangs is given up.
final class WorkerPool: Sendable {
    enum Refusal: Error, Equatable {
        /// The queue is full.
        case full
        /// The client has too many long jobs, running or queued.
        case tooMuch
        /// The job was cancelled, or the pool stops.
        case cancelled
        /// The job hangs, or another one on the same subject does.
        case hung
    }

    /// The time limits of jobs.
    struct Patience: Sendable {
        /// The time after which another thread replaces a busy one.
        var untilReplaced = Duration.milliseconds(500)
        /// The processor time above which two consecutive jobs make their kind slow.
        var untilSlow = Duration.milliseconds(200)
        /// The time a cancelled job may take to return.
        var afterCancellation = Duration.seconds(1)
        /// The time without processor use on a subject after which a job is given up.
        var standingStill = Duration.seconds(30)
        /// The interval of checks.
        var betweenLooks = Duration.milliseconds(250)
    }

    /// The numbers of threads and of queued jobs.
    struct Capacity: Sendable {
        /// The number of threads for short work; at least 1.
        var threads: Int
        /// The number of threads for long work; at least 1.
        var slowThreads = 1
        /// The maximum number of queued jobs of a lane.
        var queueLimit: Int
        /// The maximum number of queued file reads.
        var fileLimit = 1024
    }

    private let queueLimits: [WorkOrder.Lane: Int]
    private let patience: Patience
    private let name: String
    private let state: Monitor<PoolState>
    // Only the pool's own threads wait for these: a signal for each job of a lane, and one for the watch. Stopping
    // the pool signals them all.
    private let signals = WorkOrder.Lane.allCases.map { _ in DispatchSemaphore(value: 0) }
    private let watching = DispatchSemaphore(value: 0)

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - name: The name of the threads in a debugger.
    ///   - share: The share of one client.
    ///   - isHelped: Returns true if another component makes something that jobs may wait for.
    init(
        _ capacity: Capacity,
        name: String,
        patience: Patience = Patience(),
        share: ClientShare = .all,
        isHelped: @escaping @Sendable () -> Bool = { false }
    ) {
        let (threads, queueLimit) = (capacity.threads, capacity.queueLimit)
        precondition(threads >= 1 && capacity.slowThreads >= 1 && queueLimit >= 0)
        // The next background job may arrive before the thread of the last one is free.
        queueLimits = [.file: capacity.fileLimit, .quick: queueLimit, .slow: queueLimit, .background: 1]
        let counts: [WorkOrder.Lane: Int] = [.file: 2, .quick: threads, .slow: capacity.slowThreads, .background: 1]
        self.patience = patience
        self.name = name
        state = Monitor(
            PoolState(threads: counts, untilSlow: patience.untilSlow, share: share)
        )
        for lane in WorkOrder.Lane.allCases {
            let count = state.withLock { $0.threadsToStart(lane) }
            for _ in 0..<count { startThread(lane) }
        }
        // The threads hold the state, not the pool, so that releasing the pool stops them.
        let watch = PoolMonitor(patience: patience, state: state, isHelped: isHelped)
        WorkThread.begin("\(name) watch") { [watching, state, signals, name] in
            watch.look(
                when: watching,
                start: { lane in Self.startThread(name, lane, state: state, signals: signals, watching: watching) },
                wake: { lane, count in for _ in 0..<count { signals[lane.rawValue].signal() } }
            )
        }
    }

    deinit { stop() }

    /// Sets the maximum number of long jobs of a client.
    func allow(encodings: Int) { state.withLock { $0.share.encodings = encodings } }

    var report: WorkReport { state.withLock { $0.report(now: .now) } }

    /// The number of queued jobs.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Blocks until a number of jobs are queued; for tests.
    func waitForQueue(_ count: Int) { state.wait(for: { $0.waiting >= count }) }

    /// Blocks until a number of jobs are queued or running; for tests.
    func waitForWork(_ count: Int) { state.wait(for: { $0.waiting + $0.running.count >= count }) }

    /// Runs blocking work on one of the threads.
    ///
    /// Work that is cancelled in the queue leaves it at once. Running work has to react to its cancellation itself, and
    /// is given up if it does not return soon.
    ///
    /// - Parameters:
    ///   - cancellation: The cancellation of the work; giving up cancels it.
    /// - Returns: The result of the work.
    /// - Throws: ``Refusal``.
    func run<Value: Sendable>(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        work: @escaping @Sendable () -> Value
    ) async throws(Refusal) -> Value {
        let first = FirstValue<Result<Value, Refusal>>()
        let job = PoolJob(
            cancellation: cancellation,
            run: { first.give(.success(work())) },
            refuse: { first.give(.failure($0)) }
        )
        let number = state.withLock { $0.nextNumber() }
        let registration = cancel(number, with: cancellation)
        defer { cancellation.forget(registration) }
        let result = await withTaskCancellationHandler {
            await first.wait { enqueue(job, number: number, order: order) }
        } onCancel: {
            first.give(.failure(.cancelled))
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Runs blocking work on one of the threads, and blocks until it is done or given up.
    ///
    /// - Parameters:
    ///   - cancellation: The cancellation of the work; giving up cancels it.
    /// - Returns: The reason why it was not done completely; nil on success.
    func wait(_ order: WorkOrder, _ cancellation: Cancellation, work: @escaping @Sendable () -> Void) -> Refusal? {
        let ends = Monitor<[Refusal?]>([])
        let give = { @Sendable (refusal: Refusal?) in ends.withLock { $0.append(refusal) } }
        let job = PoolJob(
            cancellation: cancellation,
            run: {
                work()
                give(nil)
            },
            refuse: give
        )
        let number = state.withLock { $0.nextNumber() }
        let registration = cancel(number, with: cancellation)
        defer { cancellation.forget(registration) }
        enqueue(job, number: number, order: order)
        return ends.wait { $0.first }
    }

    private func cancel(_ number: UInt64, with cancellation: Cancellation) -> Cancellation.Registration {
        cancellation.whenCancelled { [state] in
            let dropped: PoolJob? = state.withLock { $0.cancel(number, now: .now) }
            dropped?.refuse(.cancelled)
        }
    }

    /// Ends the threads after their current jobs; queued jobs are dropped.
    func stop() {
        let (dropped, threads) = state.withLock { state in (state.stop(), state.aliveThreads) }
        for job in dropped { job.refuse(.cancelled) }
        for signal in signals { for _ in 0..<threads { signal.signal() } }
        watching.signal()
    }

    private func enqueue(_ job: PoolJob, number: UInt64, order: WorkOrder) {
        let (refused, lane) = state.withLock { state in
            state.enqueue(job, number: number, order, limits: queueLimits)
        }
        if let lane { signals[lane.rawValue].signal() }
        if let refused { refused.job.refuse(refused.refusal) }
    }

    private func startThread(_ lane: WorkOrder.Lane) {
        Self.startThread(name, lane, state: state, signals: signals, watching: watching)
    }

    private static func startThread(
        _ name: String,
        _ lane: WorkOrder.Lane,
        state: Monitor<PoolState>,
        signals: [DispatchSemaphore],
        watching: DispatchSemaphore
    ) {
        WorkThread.begin("\(name) \(lane)") { work(lane, state: state, signals: signals, watching: watching) }
    }

    /// The loop of a thread.
    private static func work(
        _ lane: WorkOrder.Lane,
        state: Monitor<PoolState>,
        signals: [DispatchSemaphore],
        watching: DispatchSemaphore
    ) {
        let clock = ThreadClock()
        while true {
            signals[lane.rawValue].wait()
            let taken = state.withLock { $0.take(lane, clock, now: .now) }
            switch taken {
            case .end: return
            case .nothing(let needsLook): if needsLook { watching.signal() }
            case .moved(let other): signals[other.rawValue].signal()
            case .job(let job, let number, let isFirst):
                if isFirst { watching.signal() }
                job.run()
                let (mayStay, passedOver) = state.withLock { state in
                    (state.finish(number, cpu: clock.time), state.takePassedOver())
                }
                for (lane, count) in passedOver { for _ in 0..<count { signals[lane.rawValue].signal() } }
                if !mayStay { return }
            }
        }
    }
}
