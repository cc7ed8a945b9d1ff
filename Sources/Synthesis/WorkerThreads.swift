internal import Foundation

/// Threads for work that blocks.
enum WorkerThreads {
    /// Runs the same work on several threads, and returns when all have ended.
    static func run(count: Int, _ work: @escaping @Sendable () -> Void) {
        guard count > 0 else { return }
        let done = NSCondition()
        let running = RunningCount(count)
        for _ in 0..<count {
            let thread = Thread {
                work()
                done.lock()
                running.value -= 1
                done.signal()
                done.unlock()
            }
            // Encoders want more stack than a secondary thread gets by default.
            thread.stackSize = 8 << 20
            thread.start()
        }
        done.lock()
        while running.value > 0 { done.wait() }
        done.unlock()
    }

    /// How many threads still run.
    private final class RunningCount: @unchecked Sendable {
        // Sendable: read and written only while the condition's lock is held.
        var value: Int
        init(_ value: Int) { self.value = value }
    }
}
