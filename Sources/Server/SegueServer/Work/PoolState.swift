import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

struct PoolJob: Sendable {
    var cancellation: Cancellation
    var run: @Sendable () -> Void
    /// Reports that the job will not run, or is given up.
    var refuse: @Sendable (WorkerPool.Refusal) -> Void
}

/// The queues and running jobs of a pool: all decisions of the pool, without its threads and its clock.
struct PoolState {
    typealias Instant = ContinuousClock.Instant
    typealias Lane = WorkOrder.Lane

    struct Running {
        var job: PoolJob
        var order: WorkOrder
        var lane: Lane
        var clock: ThreadClock
        var began: Instant
        var cpuBefore: Duration
        /// The processor time at the last check, and the time of its last increase.
        var cpu: Duration
        var lastProgress: Instant
        var cancelled: Instant?
        /// True if another thread has replaced this one.
        var isReplaced = false
        /// True if it has used no processor time for a while.
        var isStanding = false
        /// True if its caller does not wait any more, since it does not return.
        var isGivenUp = false
    }

    /// The next task of a thread.
    enum Taken {
        case end
        /// Nothing to run; `needsLook` requests a check at a later time.
        case nothing(needsLook: Bool)
        case moved(Lane)
        case job(PoolJob, number: UInt64, isFirst: Bool)
    }

    /// The maximum number of replacement threads of a lane: for computing jobs, and for stalled ones, of which there
    /// are many on a disk that does not respond.
    private static let (replacedLimit, standingLimit) = (16, 512)
    /// The maximum number of remembered kinds of slow work.
    private static let kindLimit = 512

    private let threads: [Lane: Int]
    private var alive: [Lane: Int] = [:]
    private var queues: [Lane: WorkQueue<PoolJob>] = [:]
    private(set) var running: [UInt64: Running] = [:]
    /// The number of consecutive long jobs of each kind.
    private var slow = LeastRecentlyUsed<String, Int>(limit: PoolState.kindLimit)
    private var lastNumber: UInt64 = 0
    private let untilSlow: Duration
    var share: ClientShare
    /// The time of each client's last request for computing work.
    private var lastAsked: [String: Instant] = [:]
    /// The times at which throttled clients may run again (see ``ClientShare``).
    private var rests: [String: Instant] = [:]
    /// The lanes in which jobs were skipped because their clients had used their share.
    private var passedOver: Set<Lane> = []
    /// True if a watch checks the threads periodically.
    private var isLookedAfter = false
    private(set) var isStopped = false

    /// - Parameters:
    ///   - threads: The number of threads of each lane.
    ///   - untilSlow: The processor time above which two consecutive jobs make their kind slow.
    ///   - share: The share of one client.
    init(threads: [Lane: Int], untilSlow: Duration, share: ClientShare = .all) {
        self.threads = threads
        self.share = share
        self.untilSlow = untilSlow
        for lane in Lane.allCases { queues[lane] = WorkQueue() }
    }

    /// The number of queued jobs.
    var waiting: Int { queues.values.reduce(0) { $0 + $1.count } }

    /// Returns true if the threads need a watch that is not running yet, and marks it as running.
    mutating func beginLook() -> Bool {
        isLookedAfter = !isStopped && (!running.isEmpty || waiting > 0)
        return isLookedAfter
    }

    var aliveThreads: Int { alive.values.reduce(0, +) }

    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// The number of threads that a lane lacks; they count as started.
    mutating func threadsToStart(_ lane: Lane) -> Int {
        let missing = isStopped ? 0 : max(0, wanted(lane) - alive[lane, default: 0])
        alive[lane, default: 0] += missing
        return missing
    }

    /// Queues a job in its lane.
    ///
    /// - Returns: A job that is rejected in its place, if any, and the lane with a job to run, if any.
    mutating func enqueue(
        _ job: PoolJob,
        number: UInt64,
        _ order: WorkOrder,
        limits: [Lane: Int],
        now: Instant = .now
    ) -> (refused: (job: PoolJob, refusal: WorkerPool.Refusal)?, lane: Lane?) {
        if isStopped || job.cancellation.isCancelled { return ((job, .cancelled), nil) }
        if !order.subject.isEmpty, running.values.contains(where: { $0.isGivenUp && $0.order.subject == order.subject })
        {
            return ((job, .hung), nil)
        }
        let lane = lane(of: order)
        note(order.client, in: lane, now)
        if lane == .slow, !order.isOwed, !order.client.isEmpty, slowWork(of: order.client) >= share.encodings {
            return ((job, .tooMuch), nil)
        }
        var refused: (PoolJob, WorkerPool.Refusal)?
        // A free thread takes its job at once, so one job for each does not count as queued.
        let free = max(0, wanted(lane) - running.values.count { $0.lane == lane })
        if !order.isOwed, queues[lane]?.countOfNew ?? 0 >= free + (limits[lane] ?? 0) {
            guard let other = queues[lane]?.removeNewest(ofOneWithMoreThan: order.client) else {
                return ((job, .full), nil)
            }
            refused = (other, .full)
        }
        queues[lane]?.append(job, number: number, order)
        return (refused, lane)
    }

    /// Removes a job from the queue, or records the cancellation of a running one.
    ///
    /// - Returns: The removed job.
    mutating func cancel(_ number: UInt64, now: Instant) -> PoolJob? {
        for lane in Lane.allCases {
            if let job = queues[lane]?.remove(number) { return job }
        }
        if running[number]?.cancelled == nil { running[number]?.cancelled = now }
        return nil
    }

    /// The next task of a thread of a lane.
    mutating func take(_ lane: Lane, _ clock: ThreadClock, now: Instant) -> Taken {
        if isStopped {
            alive[lane, default: 0] -= 1
            return .end
        }
        let mayHaveTurn = Self.isComputing(lane) ? turns(now) : { _ in true }
        guard let (job, number, order) = queues[lane]?.next(where: mayHaveTurn) else {
            let isPassedOver = queues[lane]?.count ?? 0 > 0
            if isPassedOver { passedOver.insert(lane) }
            return .nothing(needsLook: isPassedOver && !isLookedAfter)
        }
        let other = self.lane(of: order)
        if lane == .quick, other == .slow {
            // Its kind has become slow since it was queued.
            queues[other]?.append(job, number: number, order)
            return .moved(other)
        }
        let cpu = clock.time
        let isFirst = running.isEmpty
        running[number] = Running(
            job: job,
            order: order,
            lane: lane,
            clock: clock,
            began: now,
            cpuBefore: cpu,
            cpu: cpu,
            lastProgress: now
        )
        return .job(job, number: number, isFirst: isFirst)
    }

    /// Records the end of a job; false if its thread is to end.
    mutating func finish(_ number: UInt64, cpu: Duration, now: Instant = .now) -> Bool {
        guard let done = running.removeValue(forKey: number) else { return false }
        if Self.isComputing(done.lane), computing(of: done.order.client) >= ClientShare.crowd {
            rests[done.order.client] = now + (cpu - done.cpuBefore) * ClientShare.rest
        } else {
            rests[done.order.client] = nil
        }
        if cpu - done.cpuBefore > untilSlow {
            slow.insert((slow.value(for: done.order.kind) ?? 0) + 1, for: done.order.kind, cost: 1)
        } else {
            slow.remove(done.order.kind)
        }
        let mayStay = alive[done.lane, default: 0] <= wanted(done.lane)
        if !mayStay { alive[done.lane, default: 0] -= 1 }
        return mayStay
    }

    /// The lanes, with numbers of signals, in which skipped jobs may run now that a job has ended.
    ///
    /// Each skipped job consumed its signal, so each needs a new one, however few threads there are.
    mutating func takePassedOver() -> [(lane: Lane, count: Int)] {
        defer { passedOver = [] }
        return passedOver.map { ($0, queues[$0]?.count ?? 0) }
    }

    /// Checks the running jobs: replaces threads, and gives up jobs.
    ///
    /// - Returns: The jobs that are given up, with reasons.
    mutating func look(
        _ patience: WorkerPool.Patience,
        isHelped: Bool,
        now: Instant
    ) -> [(job: PoolJob, refusal: WorkerPool.Refusal)] {
        for number in running.keys {
            let cpu = running[number]?.clock.time ?? .zero
            // Reading the clock of a sleeping thread is free for that thread.
            if isHelped || running[number]?.clock.isGuarded == true
                || cpu - (running[number]?.cpu ?? .zero) > .milliseconds(1)
            {
                running[number]?.cpu = cpu
                running[number]?.lastProgress = now
            }
        }
        // Jobs that wait for another job on the same subject are stalled only if that one is.
        let progress = running.values.reduce(into: [String: Instant]()) { progress, work in
            progress[work.order.subject] = max(progress[work.order.subject] ?? work.lastProgress, work.lastProgress)
        }
        var givenUp: [(PoolJob, WorkerPool.Refusal)] = []
        for (number, work) in running where !work.isGivenUp {
            let since = progress[work.order.subject] ?? work.lastProgress
            if let cancelled = work.cancelled, now - cancelled > patience.afterCancellation {
                givenUp.append((work.job, .cancelled))
            } else if now - since > patience.standingStill {
                givenUp.append((work.job, .hung))
            } else {
                running[number]?.isStanding = now - since > patience.untilReplaced
                if work.lane != .slow, now - work.began > patience.untilReplaced { running[number]?.isReplaced = true }
                continue
            }
            running[number]?.isGivenUp = true
        }
        return givenUp
    }

    /// Empties the queues; the threads end.
    mutating func stop() -> [PoolJob] {
        isStopped = true
        return Lane.allCases.flatMap { queues[$0]?.removeAll() ?? [] }
    }

    func report(now: Instant) -> WorkReport {
        let lanes = Lane.allCases.map { lane in
            let busy = running.values.filter { $0.lane == lane && !$0.isGivenUp }
            return WorkReport.Lane(
                name: "\(lane)",
                threads: threads[lane] ?? 0,
                busy: busy.count,
                longest: busy.map { now - $0.began }.max() ?? .zero,
                waiting: queues[lane]?.count ?? 0,
                hung: running.values.count { $0.lane == lane && $0.isGivenUp }
            )
        }
        let hung = running.values.filter(\.isGivenUp)
        return WorkReport(lanes: lanes, hung: hung.count, oldestHung: hung.map { now - $0.began }.max() ?? .zero)
    }

    /// Returns a function that tells whether a client may run another job.
    ///
    /// A skipped client either has a running job, whose end is its next chance, or pauses, after which the watch wakes
    /// the threads.
    private mutating func turns(_ now: Instant) -> (_ client: String) -> Bool {
        let busy = running.values.filter { Self.isComputing($0.lane) && !$0.isStanding && !$0.isGivenUp }
        rests = rests.filter { $0.value > now }
        guard !busy.isEmpty || !rests.isEmpty else { return { _ in true } }
        let own = busy.reduce(into: [:]) { $0[$1.order.client, default: 0] += 1 }
        var present = Set(own.keys)
        for lane in Lane.allCases where Self.isComputing(lane) { present.formUnion(queues[lane]?.waitingClients ?? []) }
        present.remove("")
        return { [share, lastAsked, rests] client in
            if rests[client] != nil, busy.count + 1 >= share.processors,
                own.contains(where: { !$0.key.isEmpty && $0.key != client })
                    || lastAsked.contains(where: { $0.key != client && now - $0.value < share.moment })
            {
                return false
            }
            guard !client.isEmpty, let running = own[client] else { return true }
            let isAlone = !lastAsked.contains { $0.key != client && now - $0.value < share.presence }
            return running < share.work(at: present.count, isAlone: isAlone)
        }
    }

    /// Records a client's request for computing work.
    private mutating func note(_ client: String, in lane: Lane, _ now: Instant) {
        guard Self.isComputing(lane), !client.isEmpty else { return }
        if lastAsked.count >= ClientShare.clientLimit {
            lastAsked = lastAsked.filter { now - $0.value < share.presence }
            if lastAsked.count >= ClientShare.clientLimit { lastAsked = [:] }
        }
        lastAsked[client] = now
    }

    private func slowWork(of client: String) -> Int {
        running.values.count { $0.lane == .slow && $0.order.client == client && !$0.isGivenUp }
            + (queues[.slow]?.count(of: client) ?? 0)
    }

    /// The number of a client's computing jobs, running or queued.
    private func computing(of client: String) -> Int {
        guard !client.isEmpty else { return 0 }
        return running.values.count { Self.isComputing($0.lane) && $0.order.client == client && !$0.isGivenUp }
            + (queues[.quick]?.count(of: client) ?? 0) + (queues[.slow]?.count(of: client) ?? 0)
    }

    private static func isComputing(_ lane: Lane) -> Bool { lane == .quick || lane == .slow }

    /// The number of threads that a lane should have.
    private func wanted(_ lane: Lane) -> Int {
        let others = running.values.filter { $0.lane == lane && ($0.isReplaced || $0.isGivenUp) }
        let standing = others.count { $0.isStanding || $0.isGivenUp }
        return (threads[lane] ?? 0) + min(standing, Self.standingLimit)
            + min(others.count - standing, Self.replacedLimit)
    }

    /// The lane of a job, by the recent durations of its kind.
    private mutating func lane(of order: WorkOrder) -> Lane {
        guard order.lane == .quick, !order.kind.isEmpty, slow.holds(order.kind) else { return order.lane }
        return (slow.value(for: order.kind) ?? 0) >= 2 ? .slow : .quick
    }
}
