import Dispatch
import SegueConcurrency
import SegueFFmpeg

/// Threads of our own for work that blocks, in lanes, with a queue of fixed length before each.
///
/// What is quick does not wait for what is slow: work that is known to take long has threads of its own, work that turns
/// out to take long goes there the next time, and while it keeps a thread busy another takes the thread's place. Work
/// whose thread does not return, since what it called hangs, is given up.
final class WorkerPool: Sendable {
    /// Why work was not done.
    enum Refusal: Error, Equatable {
        /// As many pieces of work wait as may.
        case full
        /// As much that takes long is being done for the client, or waits, as may.
        case tooMuch
        /// Nobody waits for it any more, or the pool stops.
        case cancelled
        /// It stood still for too long, or other work on the same subject does.
        case hung
    }

    /// How long is long.
    struct Patience: Sendable {
        /// After this time another thread takes the place of one that is busy.
        var untilReplaced = Duration.milliseconds(500)
        /// Processor time that makes work slow, where it takes so much twice.
        var untilSlow = Duration.milliseconds(200)
        /// For work that was cancelled to return.
        var afterCancellation = Duration.seconds(1)
        /// For work that uses no processor time, and nobody else's does on the same subject.
        var standingStill = Duration.seconds(30)
        /// How often somebody looks.
        var betweenLooks = Duration.milliseconds(250)
    }

    private let queueLimits: [WorkOrder.Lane: Int]
    private let patience: Patience
    private let name: String
    private let state: Monitor<PoolState>
    // Only the pool's own threads wait for these, never one of an event loop or of Swift's: a signal for each piece of work
    // of a lane, and one for whoever looks after the threads; stopping the pool signals them all.
    private let signals = WorkOrder.Lane.allCases.map { _ in DispatchSemaphore(value: 0) }
    private let watching = DispatchSemaphore(value: 0)

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - threads: How many do quick work; at least 1.
    ///   - slowThreads: How many do slow work; at least 1.
    ///   - queueLimit: How many pieces of work may wait for a thread of a lane.
    ///   - fileLimit: How many may wait for those that read files.
    ///   - name: What the threads are called in a debugger.
    ///   - patience: How long is long.
    ///   - share: What one client may have of them.
    ///   - isHelped: Whether somebody else is making something that work may wait for.
    init(
        threads: Int,
        slowThreads: Int = 1,
        queueLimit: Int,
        fileLimit: Int = 1024,
        name: String,
        patience: Patience = Patience(),
        share: ClientShare = .all,
        isHelped: @escaping @Sendable () -> Bool = { false }
    ) {
        precondition(threads >= 1 && slowThreads >= 1 && queueLimit >= 0)
        // Whoever is told that its work in the background is done has the next for a thread that is not quite free.
        queueLimits = [.file: fileLimit, .quick: queueLimit, .slow: queueLimit, .background: 1]
        let counts: [WorkOrder.Lane: Int] = [.file: 2, .quick: threads, .slow: slowThreads, .background: 1]
        self.patience = patience
        self.name = name
        state = Monitor(
            PoolState(threads: counts, untilSlow: patience.untilSlow, share: share)
        )
        for lane in WorkOrder.Lane.allCases {
            let count = state.withLock { $0.threadsToStart(lane) }
            for _ in 0..<count { startThread(lane) }
        }
        // The threads hold what they need, not the pool, so that the pool can go and stop them.
        let watch = PoolWatch(patience: patience, state: state, isHelped: isHelped)
        WorkThread.begin("\(name) watch") { [watching, state, signals, name] in
            watch.look(
                when: watching,
                start: { lane in Self.startThread(name, lane, state, signals, watching) },
                wake: { lane, count in for _ in 0..<count { signals[lane.rawValue].signal() } }
            )
        }
    }

    deinit { stop() }

    /// Lets each client have so much long work under way or waiting from now on.
    func allow(encodings: Int) { state.withLock { $0.share.encodings = encodings } }

    /// What the threads are at.
    var report: WorkReport { state.withLock { $0.report(now: .now) } }

    /// How many pieces of work wait for a thread.
    var waiting: Int { state.withLock { $0.waiting } }

    /// Blocks until so many pieces of work wait; a test's way to know that they have come.
    func waitForQueue(_ count: Int) { state.wait(for: { $0.waiting >= count }) }

    /// Blocks until so many pieces of work wait or are being done; a test's way to know that they have come.
    func waitForWork(_ count: Int) { state.wait(for: { $0.waiting + $0.running.count >= count }) }

    /// Does blocking work on one of the threads.
    ///
    /// Work whose cancellation comes before its turn leaves the queue at once; work that has begun is hastened by it from
    /// inside, and given up where it does not return soon.
    ///
    /// - Parameters:
    ///   - order: What it is.
    ///   - cancellation: The work's own; work that is given up cancels it.
    ///   - work: What to do.
    /// - Returns: What the work returned.
    /// - Throws: ``Refusal``.
    func run<Value: Sendable>(
        _ order: WorkOrder,
        _ cancellation: Cancellation,
        _ work: @escaping @Sendable () -> Value
    ) async throws(Refusal) -> Value {
        let answer = FirstValue<Result<Value, Refusal>>()
        let job = PoolJob(
            cancellation: cancellation,
            run: { answer.give(.success(work())) },
            refuse: { answer.give(.failure($0)) }
        )
        let number = state.withLock { $0.nextNumber() }
        let registration = cancel(number, with: cancellation)
        defer { cancellation.forget(registration) }
        let result = await withTaskCancellationHandler {
            await answer.wait { enqueue(job, number, order) }
        } onCancel: {
            answer.give(.failure(.cancelled))
            cancellation.cancel()
        }
        return try result.get()
    }

    /// Has blocking work done on one of the threads, and blocks until it is done or given up.
    ///
    /// - Parameters:
    ///   - order: What it is.
    ///   - cancellation: The work's own; work that is given up cancels it.
    ///   - work: What to do.
    /// - Returns: Why it was not done, or not to its end; nil where it was.
    func wait(_ order: WorkOrder, _ cancellation: Cancellation, _ work: @escaping @Sendable () -> Void) -> Refusal? {
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
        enqueue(job, number, order)
        return ends.wait { $0.first }
    }

    private func cancel(_ number: UInt64, with cancellation: Cancellation) -> Cancellation.Registration {
        cancellation.whenCancelled { [state] in
            let dropped: PoolJob? = state.withLock { $0.cancel(number, now: .now) }
            dropped?.refuse(.cancelled)
        }
    }

    /// Lets the threads end when they have finished what they are at; what waits is not done.
    func stop() {
        let (dropped, threads) = state.withLock { state in (state.stop(), state.aliveThreads) }
        for job in dropped { job.refuse(.cancelled) }
        for signal in signals { for _ in 0..<threads { signal.signal() } }
        watching.signal()
    }

    private func enqueue(_ job: PoolJob, _ number: UInt64, _ order: WorkOrder) {
        let (refused, lane) = state.withLock { state in
            state.enqueue(job, number: number, order, limits: queueLimits)
        }
        if let lane { signals[lane.rawValue].signal() }
        if let refused { refused.job.refuse(refused.refusal) }
    }

    private func startThread(_ lane: WorkOrder.Lane) { Self.startThread(name, lane, state, signals, watching) }

    private static func startThread(
        _ name: String,
        _ lane: WorkOrder.Lane,
        _ state: Monitor<PoolState>,
        _ signals: [DispatchSemaphore],
        _ watching: DispatchSemaphore
    ) {
        WorkThread.begin("\(name) \(lane)") { work(lane, state, signals, watching) }
    }

    /// What a thread does until the pool stops or has too many of its lane.
    private static func work(
        _ lane: WorkOrder.Lane,
        _ state: Monitor<PoolState>,
        _ signals: [DispatchSemaphore],
        _ watching: DispatchSemaphore
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
