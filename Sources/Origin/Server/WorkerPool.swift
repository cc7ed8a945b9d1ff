import Foundation
import Media

/// A fixed number of threads of our own for work that blocks, and a queue of fixed length before them.
final class WorkerPool: Sendable {
    /// Why work was not done.
    enum Refusal: Error, Equatable {
        /// As many pieces of work wait as may.
        case full
        /// Nobody waits for it any more, or the pool stops.
        case cancelled
    }

    private struct Job {
        var number: UInt64
        /// Does the work, or only says that it will not be done.
        var run: @Sendable (Refusal?) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var running = 0
        var lastNumber: UInt64 = 0
        var isStopped = false
    }

    private let queueLimit: Int
    private let threads: Int
    private let state = Monitor(State())

    /// Starts the threads.
    ///
    /// - Parameters:
    ///   - threads: How many; at least 1.
    ///   - queueLimit: How many pieces of work may wait for a thread.
    ///   - name: What the threads are called in a debugger.
    init(threads: Int, queueLimit: Int, name: String) {
        precondition(threads >= 1 && queueLimit >= 0)
        self.queueLimit = queueLimit
        self.threads = threads
        for number in 0..<threads {
            // The threads hold the state, not the pool, so that the pool can go and stop them.
            let thread = Thread { [state] in Self.work(state) }
            thread.name = "\(name) \(number)"
            thread.stackSize = 4 << 20
            thread.start()
        }
    }

    deinit { stop() }

    /// How many pieces of work wait for a thread.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// Blocks until so many pieces of work wait; a test's way to know that they have come.
    func waitForQueue(_ count: Int) { state.wait(for: { $0.waiting.count >= count }) }

    /// Does blocking work on one of the threads.
    ///
    /// Work whose cancellation comes before its turn leaves the queue at once; work that has begun runs to its end,
    /// which the cancellation hastens from inside.
    ///
    /// - Parameters:
    ///   - cancellation: The work's own.
    ///   - work: What to do.
    /// - Returns: What the work returned.
    /// - Throws: ``Refusal``.
    func run<Value: Sendable>(
        _ cancellation: Cancellation,
        _ work: @escaping @Sendable () -> Value
    ) async throws(Refusal) -> Value {
        let result: Result<Value, Refusal> = await withCheckedContinuation { continuation in
            let job: @Sendable (Refusal?) -> Void = { refusal in
                continuation.resume(returning: refusal.map { .failure($0) } ?? .success(work()))
            }
            switch enqueue(job) {
            case .failure(let refusal): job(refusal)
            case .success(let number):
                // Not forgotten afterwards: a cancellation lives no longer than its request.
                _ = cancellation.whenCancelled { [state] in Self.drop(number, state) }
            }
        }
        return try result.get()
    }

    /// Has blocking work done on one of the threads, which nobody waits for.
    ///
    /// - Parameter work: What to do; not done when the pool stops before its turn.
    /// - Returns: Whether there was room for it.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let job: @Sendable (Refusal?) -> Void = { refusal in
            if refusal == nil { work() }
        }
        if case .success = enqueue(job) { return true }
        return false
    }

    /// Lets the threads end when they have finished what they are at; what waits is not done.
    func stop() {
        let dropped = state.withLock { state in
            state.isStopped = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in dropped { job.run(.cancelled) }
    }

    private func enqueue(_ run: @escaping @Sendable (Refusal?) -> Void) -> Result<UInt64, Refusal> {
        state.withLock { state in
            if state.isStopped { return .failure(.cancelled) }
            // A thread that is free takes its job at once, so that one does not count as waiting.
            guard state.running + state.waiting.count < threads + queueLimit else { return .failure(.full) }
            state.lastNumber += 1
            state.waiting.append(Job(number: state.lastNumber, run: run))
            return .success(state.lastNumber)
        }
    }

    private static func drop(_ number: UInt64, _ state: Monitor<State>) {
        let job: Job? = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        job?.run(.cancelled)
    }

    private static func work(_ state: Monitor<State>) {
        while true {
            let job: Job? = state.wait { state in
                if !state.waiting.isEmpty {
                    state.running += 1
                    return .some(state.waiting.removeFirst())
                }
                return state.isStopped ? .some(nil) : nil
            }
            guard let job else { return }
            job.run(nil)
            state.withLock { $0.running -= 1 }
        }
    }
}
