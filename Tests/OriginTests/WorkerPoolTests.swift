import Media
import Testing

@testable import Origin

@Suite(.timeLimit(.minutes(1))) struct `Worker pool` {
    @Test func `work is done on threads of the pool`() async throws {
        let pool = WorkerPool(threads: 2, queueLimit: 0, name: "test")
        // Two at once meet: each waits for the other.
        let (left, right) = (Gate(), Gate())
        async let first = pool.run(Cancellation()) { () -> Int in
            left.open()
            right.wait()
            return 1
        }
        async let second = pool.run(Cancellation()) { () -> Int in
            right.open()
            left.wait()
            return 2
        }
        #expect(try await first + second == 3)
    }

    @Test func `what does not fit the queue is refused at once`() async throws {
        let pool = WorkerPool(threads: 1, queueLimit: 1, name: "test")
        let (isBusy, mayFinish) = (Gate(), Gate())
        async let busy = pool.run(Cancellation()) { () -> Int in
            isBusy.open()
            mayFinish.wait()
            return 1
        }
        await blocking { isBusy.wait() }.finish()
        async let waiting = pool.run(Cancellation()) { 2 }
        await blocking { pool.waitForQueue(1) }.finish()
        await #expect(throws: WorkerPool.Refusal.full) { try await pool.run(Cancellation()) { 3 } }
        mayFinish.open()
        #expect(try await busy == 1)
        #expect(try await waiting == 2)
    }

    @Test func `work that is cancelled before its turn leaves the queue`() async throws {
        let pool = WorkerPool(threads: 1, queueLimit: 1, name: "test")
        let (isBusy, mayFinish) = (Gate(), Gate())
        async let busy = pool.run(Cancellation()) { () -> Int in
            isBusy.open()
            mayFinish.wait()
            return 1
        }
        await blocking { isBusy.wait() }.finish()
        let cancellation = Cancellation()
        let dropped = Task { try await pool.run(cancellation) { 2 } }
        await blocking { pool.waitForQueue(1) }.finish()
        cancellation.cancel()
        await #expect(throws: WorkerPool.Refusal.cancelled) { try await dropped.value }
        #expect(pool.waiting == 0)
        mayFinish.open()
        #expect(try await busy == 1)
    }

    @Test func `a pool that stops refuses what waits and what comes`() async throws {
        let pool = WorkerPool(threads: 1, queueLimit: 4, name: "test")
        let (isBusy, mayFinish) = (Gate(), Gate())
        async let busy = pool.run(Cancellation()) { () -> Int in
            isBusy.open()
            mayFinish.wait()
            return 1
        }
        await blocking { isBusy.wait() }.finish()
        let waiting = Task { try await pool.run(Cancellation()) { 2 } }
        await blocking { pool.waitForQueue(1) }.finish()
        pool.stop()
        await #expect(throws: WorkerPool.Refusal.cancelled) { try await waiting.value }
        await #expect(throws: WorkerPool.Refusal.cancelled) { try await pool.run(Cancellation()) { 3 } }
        mayFinish.open()
        #expect(try await busy == 1)
    }
}
