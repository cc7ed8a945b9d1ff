import SegueConcurrency
import SegueFFmpeg
import SegueOrigin

/// A piece of work in a pool.
struct PoolJob: Sendable {
    /// Stops it from inside.
    var cancellation: Cancellation
    /// Does it.
    var run: @Sendable () -> Void
    /// Says that it will not be done, or is not waited for any more.
    var refuse: @Sendable (WorkerPool.Refusal) -> Void
}

/// What waits in a pool, and what its threads are at: all that a pool decides, without its threads and its clock.
struct PoolState {
    typealias Instant = ContinuousClock.Instant
    typealias Lane = WorkOrder.Lane

    /// What a thread is at.
    struct Running {
        var job: PoolJob
        var order: WorkOrder
        var lane: Lane
        var clock: ThreadClock
        var began: Instant
        var cpuBefore: Duration
        /// The processor time at the last look, and when it last was more than before.
        var cpu: Duration
        var lastProgress: Instant
        var cancelled: Instant?
        /// Whether another thread has taken this one's place.
        var isReplaced = false
        /// Whether it has used no processor time for a while.
        var isStanding = false
        /// Whether nobody waits for it any more, as it does not return.
        var isGivenUp = false
    }

    /// What a thread is to do.
    enum Taken {
        case end
        /// Nothing that may be begun, and whether somebody has to be told to look again later.
        case nothing(needsLook: Bool)
        case moved(Lane)
        case job(PoolJob, number: UInt64, isFirst: Bool)
    }

    /// How many threads may be in the places of others in a lane: of those that compute, and of those that stand still,
    /// as many do whose files lie on a disk that does not answer.
    private static let (mostReplaced, mostStanding) = (16, 512)
    /// How many kinds of slow work are remembered.
    private static let mostKinds = 512

    private let threads: [Lane: Int]
    private var alive: [Lane: Int] = [:]
    private var queues: [Lane: WorkQueue<PoolJob>] = [:]
    private(set) var running: [UInt64: Running] = [:]
    /// How often in a row work of a kind took long.
    private var slow = LeastRecentlyUsed<String, Int>(limit: PoolState.mostKinds)
    private var lastNumber: UInt64 = 0
    private let untilSlow: Duration
    /// What of it is one client's.
    var share: ClientShare
    /// When each client last asked for work that takes processor time.
    private var lastAsked: [String: Instant] = [:]
    /// Until when clients rest that crowd the threads (``ClientShare``).
    private var rests: [String: Instant] = [:]
    /// The lanes in which work was passed over, since those whose it is had their share.
    private var passedOver: Set<Lane> = []
    /// Whether somebody looks from time to time.
    private var isLookedAfter = false
    private(set) var isStopped = false

    /// Nothing to do.
    ///
    /// - Parameters:
    ///   - threads: How many threads each lane has.
    ///   - untilSlow: Processor time that makes work slow, where it takes so much twice.
    ///   - share: What of it is one client's.
    init(threads: [Lane: Int], untilSlow: Duration, share: ClientShare = .all) {
        self.threads = threads
        self.share = share
        self.untilSlow = untilSlow
        for lane in Lane.allCases { queues[lane] = WorkQueue() }
    }

    /// How much waits.
    var waiting: Int { queues.values.reduce(0) { $0 + $1.count } }

    /// Whether somebody has to look after the threads and what waits for them, who is then taken to do so.
    mutating func beginLook() -> Bool {
        isLookedAfter = !isStopped && (!running.isEmpty || waiting > 0)
        return isLookedAfter
    }

    /// How many threads there are.
    var aliveThreads: Int { alive.values.reduce(0, +) }

    /// A number for a piece of work.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// How many threads a lane lacks; they count as started.
    mutating func threadsToStart(_ lane: Lane) -> Int {
        let missing = isStopped ? 0 : max(0, wanted(lane) - alive[lane, default: 0])
        alive[lane, default: 0] += missing
        return missing
    }

    /// Takes work into the queue of its lane.
    ///
    /// - Returns: What is refused for it, if anything, and the lane in which there is something to do, if so.
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
        // A thread that is free takes its job at once, so that one does not count as waiting.
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

    /// Takes work out of the queue, or notes when it was cancelled.
    ///
    /// - Returns: What was taken out.
    mutating func cancel(_ number: UInt64, now: Instant) -> PoolJob? {
        for lane in Lane.allCases {
            if let job = queues[lane]?.remove(number) { return job }
        }
        if running[number]?.cancelled == nil { running[number]?.cancelled = now }
        return nil
    }

    /// What a thread of a lane does next.
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
            // It has turned out to take long since it came.
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

    /// Notes that work has returned; false where its thread is to end.
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

    /// The lanes in which there may be something to do now that work has returned, and how much.
    ///
    /// Each piece has lost the signal that it came with: there must be one for each, however few threads there are, as
    /// nobody looks a second time for one.
    mutating func takePassedOver() -> [(lane: Lane, count: Int)] {
        defer { passedOver = [] }
        return passedOver.map { ($0, queues[$0]?.count ?? 0) }
    }

    /// Looks at what is being done: whose thread is replaced, and what is given up.
    ///
    /// - Returns: What is given up, and why.
    mutating func look(
        _ patience: WorkerPool.Patience,
        isHelped: Bool,
        now: Instant
    ) -> [(job: PoolJob, refusal: WorkerPool.Refusal)] {
        for number in running.keys {
            let cpu = running[number]?.clock.time ?? .zero
            // A look at the clock of a thread that sleeps costs it nothing.
            if isHelped || running[number]?.clock.isGuarded == true
                || cpu - (running[number]?.cpu ?? .zero) > .milliseconds(1)
            {
                running[number]?.cpu = cpu
                running[number]?.lastProgress = now
            }
        }
        // Those who wait for somebody else's work on the same subject stand still as long as that does.
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

    /// Takes everything out of the queues; threads end from now on.
    mutating func stop() -> [PoolJob] {
        isStopped = true
        return Lane.allCases.flatMap { queues[$0]?.removeAll() ?? [] }
    }

    /// What the threads are at.
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
        return WorkReport(lanes: lanes, hung: hung.count, longestHung: hung.map { now - $0.began }.max() ?? .zero)
    }

    /// Of which clients one more piece of work may begin.
    ///
    /// One that is passed over has work running, the end of which is the next occasion for it, or rests, after which
    /// whoever looks after the threads has them look again.
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

    /// Notes that a client has asked for work that takes processor time.
    private mutating func note(_ client: String, in lane: Lane, _ now: Instant) {
        guard Self.isComputing(lane), !client.isEmpty else { return }
        if lastAsked.count >= ClientShare.mostClients {
            lastAsked = lastAsked.filter { now - $0.value < share.presence }
            if lastAsked.count >= ClientShare.mostClients { lastAsked = [:] }
        }
        lastAsked[client] = now
    }

    private func slowWork(of client: String) -> Int {
        running.values.count { $0.lane == .slow && $0.order.client == client && !$0.isGivenUp }
            + (queues[.slow]?.count(of: client) ?? 0)
    }

    /// How much work of a client that takes processor time runs or waits.
    private func computing(of client: String) -> Int {
        guard !client.isEmpty else { return 0 }
        return running.values.count { Self.isComputing($0.lane) && $0.order.client == client && !$0.isGivenUp }
            + (queues[.quick]?.count(of: client) ?? 0) + (queues[.slow]?.count(of: client) ?? 0)
    }

    private static func isComputing(_ lane: Lane) -> Bool { lane == .quick || lane == .slow }

    /// How many threads a lane should have.
    private func wanted(_ lane: Lane) -> Int {
        let others = running.values.filter { $0.lane == lane && ($0.isReplaced || $0.isGivenUp) }
        let standing = others.count { $0.isStanding || $0.isGivenUp }
        return (threads[lane] ?? 0) + min(standing, Self.mostStanding) + min(others.count - standing, Self.mostReplaced)
    }

    /// The lane of work, by what work of its kind took lately.
    private mutating func lane(of order: WorkOrder) -> Lane {
        guard order.lane == .quick, !order.kind.isEmpty, slow.holds(order.kind) else { return order.lane }
        return (slow.value(for: order.kind) ?? 0) >= 2 ? .slow : .quick
    }
}
