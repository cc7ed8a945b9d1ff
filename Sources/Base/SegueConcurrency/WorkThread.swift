internal import Foundation

/// Threads for work that blocks or computes for long, which belongs neither on an event loop nor in Swift's own pool.
package enum WorkThread {
    /// Does work on a thread of its own.
    ///
    /// - Parameters:
    ///   - name: What the thread is called in a debugger and by the system, which keep 15 bytes of it.
    ///   - work: The work; the thread ends with it.
    package static func begin(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            // Foundation loses a name that a thread is given before it runs.
            _ = setName?(pthread_self(), String(decoding: name.utf8.prefix(15), as: UTF8.self))
            work()
        }
        // Encoders want more stack than a secondary thread may get by default.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Names a thread; Swift's module for glibc leaves the function out, and other C libraries may not have it.
    private static let setName: SetName? = dlsym(nil, "pthread_setname_np").map {
        unsafeBitCast($0, to: SetName.self)
    }

    private typealias SetName = @convention(c) (_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32

    /// Does the same work on several threads, and returns when all have ended.
    ///
    /// - Parameters:
    ///   - name: What the threads are called.
    ///   - count: How many threads; with none there is nothing to wait for.
    ///   - work: The work.
    package static func run(_ name: String, count: Int, _ work: @escaping @Sendable () -> Void) {
        let running = Monitor(max(0, count))
        for _ in 0..<max(0, count) {
            begin(name) {
                work()
                running.withLock { $0 -= 1 }
            }
        }
        running.wait(for: { $0 == 0 })
    }
}
