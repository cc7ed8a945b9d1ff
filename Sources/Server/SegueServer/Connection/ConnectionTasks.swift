import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The tasks of connections, outside of a task group.
///
/// The server library runs them in one task group, which walks its list whenever a task ends, so that the end of all
/// connections takes quadratic time.
final class ConnectionTasks: Service {
    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
        var isOver = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    init() {}

    var count: Int { state.withLock { $0.tasks.count } }

    func begin(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task { [self] in
                await work()
                end(number)
            }
            state.tasks[number] = task
            if state.isOver { task.cancel() }
        }
    }

    private func end(_ number: UInt64) {
        let waiting = state.withLock { state in
            state.tasks[number] = nil
            defer { if state.tasks.isEmpty { state.waiting = [:] } }
            return state.tasks.isEmpty ? Array(state.waiting.values) : []
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Cancels all tasks, and later ones at once.
    func cancel() {
        let tasks = state.withLock { state in
            state.isOver = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Waits until all tasks have ended, or its own task is cancelled.
    func waitUntilEnded() async {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if state.tasks.isEmpty || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    /// Keeps a stopping server running until its connections have ended.
    func run() async throws {
        try await gracefulShutdown()
        await waitUntilEnded()
    }
}

/// A channel that serves each connection in a task of ``ConnectionTasks``.
struct TaskedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let tasks: ConnectionTasks

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        tasks.begin { [base] in await base.handle(value: value, logger: logger) }
    }
}
