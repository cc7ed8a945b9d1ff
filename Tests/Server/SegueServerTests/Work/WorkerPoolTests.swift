import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import Testing

@testable import SegueServer

@Suite struct `Worker pool` {
    private let quick = WorkOrder(.quick)

    @Test func `work is done on threads of the pool`() async throws {
        let pool = WorkerPool(.init(threads: 2, queueLimit: 0), name: "test")
        // Two concurrent jobs meet: each waits for the other.
        let (left, right) = (Gate(), Gate())
        async let first = pool.run(quick, Cancellation()) { () -> Int in
            left.open()
            right.wait()
            return 1
        }
        async let second = pool.run(quick, Cancellation()) { () -> Int in
            right.open()
            left.wait()
            return 2
        }
        #expect(try await first + second == 3)
    }

    @Test func `a job above the queue limit is rejected at once`() async throws {
        try await withBusyPool(queueLimit: 1) { pool in
            let waiting = Task { try await pool.run(quick, Cancellation()) { 2 } }
            await blocking { pool.waitForQueue(1) }.finish()
            await #expect(throws: WorkerPool.Refusal.full) { try await pool.run(quick, Cancellation()) { 3 } }
            return {
                let value = try await waiting.value
                #expect(value == 2)
            }
        }
    }

    @Test func `in a full queue a heavy client makes way for another`() async throws {
        try await withBusyPool(queueLimit: 2) { pool in
            let orders = [WorkOrder(.quick, client: "many"), WorkOrder(.quick, client: "many")]
            let first = Task { try await pool.run(orders[0], Cancellation()) { 1 } }
            await blocking { pool.waitForQueue(1) }.finish()
            let second = Task { try await pool.run(orders[1], Cancellation()) { 2 } }
            await blocking { pool.waitForQueue(2) }.finish()
            let other = Task { try await pool.run(WorkOrder(.quick, client: "few"), Cancellation()) { 3 } }
            await #expect(throws: WorkerPool.Refusal.full) { try await second.value }
            return {
                let sum = try await first.value + other.value
                #expect(sum == 4)
            }
        }
    }

    @Test func `jobs of begun responses do not count toward the queue limit`() async throws {
        try await withBusyPool(queueLimit: 1) { pool in
            let owed = (1...5).map { number in
                Task { try await pool.run(WorkOrder(.quick, isOwed: true), Cancellation()) { number } }
            }
            await blocking { pool.waitForQueue(5) }.finish()
            let new = Task { try await pool.run(quick, Cancellation()) { 6 } }
            await blocking { pool.waitForQueue(6) }.finish()
            return {
                var sum = try await new.value
                for task in owed { sum += try await task.value }
                #expect(sum == 21)
            }
        }
    }

    @Test func `a job cancelled in the queue leaves it`() async throws {
        try await withBusyPool(queueLimit: 1) { pool in
            let cancellation = Cancellation()
            let dropped = Task { try await pool.run(quick, cancellation) { 2 } }
            await blocking { pool.waitForQueue(1) }.finish()
            cancellation.cancel()
            await #expect(throws: WorkerPool.Refusal.cancelled) { try await dropped.value }
            #expect(pool.waiting == 0)
            return {}
        }
    }

    @Test func `a cancelled task does not wait for its job`() async throws {
        try await withBusyPool(queueLimit: 1) { pool in
            let (began, mayEnd) = (Gate(), Gate())
            defer { mayEnd.open() }
            let task = Task {
                try await pool.run(WorkOrder(.slow), Cancellation()) {
                    began.open()
                    mayEnd.wait()
                }
            }
            await blocking { began.wait() }.finish()
            task.cancel()
            await #expect(throws: WorkerPool.Refusal.cancelled) { try await task.value }
            return {}
        }
    }

    @Test func `a stopped pool rejects queued and new jobs`() async throws {
        try await withBusyPool(queueLimit: 4) { pool in
            let waiting = Task { try await pool.run(quick, Cancellation()) { 2 } }
            await blocking { pool.waitForQueue(1) }.finish()
            pool.stop()
            await #expect(throws: WorkerPool.Refusal.cancelled) { try await waiting.value }
            await #expect(throws: WorkerPool.Refusal.cancelled) { try await pool.run(quick, Cancellation()) { 3 } }
            return {}
        }
    }

    @Test(arguments: [WorkOrder.Lane.slow, .file, .background])
    func `lanes do not wait for each other`(lane: WorkOrder.Lane) async throws {
        try await withBusyPool(queueLimit: 1) { pool in
            let value = try await pool.run(WorkOrder(lane), Cancellation()) { 2 }
            #expect(value == 2)
            return {}
        }
    }

    @Test func `another thread replaces one that is busy for long`() async throws {
        let patience = WorkerPool.Patience(untilReplaced: .zero, betweenLooks: .milliseconds(1))
        try await withBusyPool(queueLimit: 1, patience: patience) { pool in
            let value = try await pool.run(quick, Cancellation()) { 2 }
            #expect(value == 2)
            return {}
        }
    }

    @Test func `stalled jobs do not block others`() async throws {
        let patience = WorkerPool.Patience(untilReplaced: .zero, betweenLooks: .milliseconds(1))
        let pool = WorkerPool(.init(threads: 1, queueLimit: 100), name: "test", patience: patience)
        let mayEnd = Gate()
        defer { mayEnd.open() }
        let stuck = (0..<60).map { number in
            Task { try await pool.run(WorkOrder(.quick, subject: "\(number)"), Cancellation()) { mayEnd.wait() } }
        }
        await blocking { pool.waitForWork(60) }.finish()
        #expect(try await pool.run(WorkOrder(.quick, subject: "other"), Cancellation()) { 2 } == 2)
        mayEnd.open()
        for task in stuck { try await task.value }
    }

    @Test func `a kind of work that took long twice is slow`() async throws {
        let pool = WorkerPool(.init(threads: 1, queueLimit: 1), name: "test", patience: .init(untilSlow: .zero))
        let order = WorkOrder(.quick, kind: "long")
        for _ in 0..<2 { try await pool.run(order, Cancellation()) { #expect((0..<100_000).reduce(0, ^) == 0) } }
        let (began, mayEnd) = (Gate(), Gate())
        async let busy: Void = pool.run(WorkOrder(.slow), Cancellation()) {
            began.open()
            mayEnd.wait()
        }
        await blocking { began.wait() }.finish()
        async let waiting: Void = pool.run(order, Cancellation()) {}
        await blocking { pool.waitForQueue(1) }.finish()
        #expect(pool.report.lanes.map(\.waiting) == [0, 0, 1, 0])
        mayEnd.open()
        _ = try await (busy, waiting)
    }

    @Test func `a stalled job is given up, and so are others on its subject`() async throws {
        let patience = WorkerPool.Patience(standingStill: .zero, betweenLooks: .milliseconds(1))
        let pool = WorkerPool(.init(threads: 1, queueLimit: 1), name: "test", patience: patience)
        let (mayEnd, hasEnded) = (Gate(), Gate())
        defer { mayEnd.open() }
        let stuck = WorkOrder(.quick, subject: "stuck")
        let cancellation = Cancellation()
        await #expect(throws: WorkerPool.Refusal.hung) {
            try await pool.run(stuck, cancellation) {
                mayEnd.wait()
                hasEnded.open()
            }
        }
        #expect(pool.report.hung == 1)
        #expect(!pool.report.isFree)
        await #expect(throws: WorkerPool.Refusal.hung) { try await pool.run(stuck, Cancellation()) {} }
        await blocking { while !cancellation.isCancelled {} }.finish()
        mayEnd.open()
        await blocking { hasEnded.wait() }.finish()
    }

    @Test func `a blocking caller receives the reason of a failure`() async throws {
        let patience = WorkerPool.Patience(standingStill: .zero, betweenLooks: .milliseconds(1))
        let pool = WorkerPool(.init(threads: 1, queueLimit: 1), name: "test", patience: patience)
        let mayEnd = Gate()
        defer { mayEnd.open() }
        let order = WorkOrder(.background, subject: "stuck")
        let refusal = try await blocking { pool.wait(order, Cancellation()) { mayEnd.wait() } }.value
        #expect(refusal == .hung)
        // With the first pool's limits, a short job may be checked before it ends.
        let patient = WorkerPool(.init(threads: 1, queueLimit: 1), name: "test")
        let done = try await blocking { patient.wait(WorkOrder(.background), Cancellation()) {} }.value
        #expect(done == nil)
    }

    @Test func `a cancelled job that does not return is given up`() async throws {
        let patience = WorkerPool.Patience(afterCancellation: .zero, betweenLooks: .milliseconds(1))
        let pool = WorkerPool(.init(threads: 1, queueLimit: 1), name: "test", patience: patience)
        let (began, mayEnd) = (Gate(), Gate())
        defer { mayEnd.open() }
        let cancellation = Cancellation()
        let stuck = Task {
            try await pool.run(quick, cancellation) {
                began.open()
                mayEnd.wait()
            }
        }
        await blocking { began.wait() }.finish()
        cancellation.cancel()
        await #expect(throws: WorkerPool.Refusal.cancelled) { try await stuck.value }
        // Its thread is lost and replaced.
        #expect(try await pool.run(quick, Cancellation()) { 2 } == 2)
        #expect(pool.report.hung == 1)
    }

    @Test func `one client leaves a processor to recently active others, and shares with active ones`()
        async throws
    {
        // This counts as a moment, however long it takes on a busy machine.
        let share = ClientShare(processors: 2, encodings: 9, presence: .seconds(1 << 40))
        let pool = WorkerPool(.init(threads: 4, queueLimit: 9), name: "test", patience: .endless, share: share)
        let (mayEnd, begun) = (Gate(), Monitor(0))
        defer { mayEnd.open() }
        try await pool.run(WorkOrder(.quick, client: "few"), Cancellation()) {}
        let many = (0..<3).map { _ in
            Task {
                try await pool.run(WorkOrder(.quick, client: "many"), Cancellation()) {
                    begun.withLock { $0 += 1 }
                    mayEnd.wait()
                }
            }
        }
        await blocking { pool.waitForWork(3) }.finish()
        // Three threads are free, and the other client's job does not wait.
        try await pool.run(WorkOrder(.quick, client: "few"), Cancellation()) {}
        #expect(begun.withLock { $0 } == 1 && pool.waiting == 2)
        mayEnd.open()
        for task in many { try await task.value }
        #expect(begun.withLock { $0 } == 3)
    }

    @Test func `skipped jobs run as soon as they may`() async throws {
        let share = ClientShare(processors: 1, encodings: 9, presence: .seconds(1 << 40))
        let pool = WorkerPool(.init(threads: 2, queueLimit: 9), name: "test", patience: .endless, share: share)
        let (mayEnd, done) = (Gate(), Monitor(0))
        defer { mayEnd.open() }
        try await pool.run(WorkOrder(.quick, client: "few"), Cancellation()) {}
        let many = (0..<8).map { _ in
            Task {
                try await pool.run(WorkOrder(.quick, client: "many"), Cancellation()) {
                    mayEnd.wait()
                    done.withLock { $0 += 1 }
                }
            }
        }
        await blocking { pool.waitForWork(8) }.finish()
        // Both threads have looked for a job, and found one that has to wait.
        for _ in 0..<8 { try await pool.run(WorkOrder(.quick, client: "few"), Cancellation()) {} }
        mayEnd.open()
        for task in many { try await task.value }
        #expect(done.withLock { $0 } == 8)
    }

    @Test func `a client that is alone gets all threads`() async throws {
        let share = ClientShare(processors: 2, encodings: 9)
        let pool = WorkerPool(.init(threads: 4, queueLimit: 9), name: "test", patience: .endless, share: share)
        let meeting = Monitor(0)
        // Each waits for all others.
        let tasks = (0..<4).map { _ in
            Task {
                try await pool.run(WorkOrder(.quick, client: "one"), Cancellation()) {
                    meeting.withLock { $0 += 1 }
                    meeting.wait(for: { $0 == 4 })
                }
            }
        }
        for task in tasks { try await task.value }
    }

    @Test func `long work above a client's limit is rejected, other work is not`() async throws {
        let pool = WorkerPool(
            .init(threads: 1, queueLimit: 9),
            name: "test",
            patience: .endless,
            share: ClientShare(processors: 2, encodings: 2)
        )
        let mayEnd = Gate()
        defer { mayEnd.open() }
        let order = WorkOrder(.slow, client: "many")
        let tasks = (0..<2).map { _ in Task { try await pool.run(order, Cancellation()) { mayEnd.wait() } } }
        await blocking { pool.waitForWork(2) }.finish()
        await #expect(throws: WorkerPool.Refusal.tooMuch) { try await pool.run(order, Cancellation()) {} }
        try await pool.run(WorkOrder(.quick, client: "many"), Cancellation()) {}
        mayEnd.open()
        for task in tasks { try await task.value }
    }

    @Test(arguments: [(1, true, Int.max), (1, false, 3), (2, false, 2), (3, false, 1), (9, false, 1)])
    func `the share of one of several clients`(clients: Int, isAlone: Bool, work: Int) {
        #expect(ClientShare(processors: 4, encodings: 1).work(at: clients, isAlone: isAlone) == work)
        #expect(ClientShare(processors: 1, encodings: 1).work(at: clients, isAlone: false) == 1)
    }

    /// A pool whose only thread for short work is busy while `body` runs, and the expected state afterwards.
    private func withBusyPool(
        queueLimit: Int,
        patience: WorkerPool.Patience = .init(untilReplaced: .seconds(3600)),
        _ body: (WorkerPool) async throws -> () async throws -> Void
    ) async throws {
        let pool = WorkerPool(.init(threads: 1, queueLimit: queueLimit), name: "test", patience: patience)
        let (isBusy, mayFinish) = (Gate(), Gate())
        defer { mayFinish.open() }
        async let busy = pool.run(quick, Cancellation()) { () -> Int in
            isBusy.open()
            mayFinish.wait()
            return 1
        }
        await blocking { isBusy.wait() }.finish()
        let afterwards = try await body(pool)
        mayFinish.open()
        #expect(try await busy == 1)
        try await afterwards()
    }
}
