import Foundation
import SegueConcurrency
import SegueFFmpeg

/// A gate that threads wait at until it is opened; it stays open.
package final class Gate: Sendable {
    private let isOpen = Monitor(false)

    /// A gate that is closed.
    package init() {}

    /// Opens it.
    package func open() { isOpen.withLock { $0 = true } }

    /// Blocks until it is open.
    package func wait() { isOpen.wait(for: { $0 }) }
}

/// Blocking work that was begun on a thread of its own.
package struct BlockingWork<Value: Sendable>: Sendable {
    fileprivate let results: AsyncStream<Result<Value, any Error>>

    /// What the work returned; asked for once.
    package var value: Value {
        get async throws {
            for await result in results { return try result.get() }
            throw CancellationError()
        }
    }

    /// Waits for the work's end, however it came.
    package func finish() async { _ = try? await value }
}

/// Begins blocking work on a thread of its own.
package func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) -> BlockingWork<Value> {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    Thread {
        continuation.yield(Result { try work() })
        continuation.finish()
    }.start()
    return BlockingWork(results: results)
}
