import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The tasks that serve connections, each by itself.
///
/// The server's library has them all in one task group, whose list is walked whenever one of them ends: among thousands
/// of connections the end of each costs the more the more there are, and the end of all of them the square.
final class ConnectionTasks: Service {
    private struct State {
        var tasks: [UInt64: Task<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
        var isOver = false
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// None yet.
    init() {}

    /// How many there are.
    var count: Int { state.withLock { $0.tasks.count } }

    /// Begins one.
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

    /// Cancels all there are, and those that still come.
    func cancel() {
        let tasks = state.withLock { state in
            state.isOver = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }

    /// Waits until there are none, or its own task is cancelled.
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

    /// Keeps a server that is told to stop until its connections have ended.
    func run() async throws {
        try await gracefulShutdown()
        await waitUntilEnded()
    }
}

/// A way to serve connections that has a task of ``ConnectionTasks`` for each.
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
