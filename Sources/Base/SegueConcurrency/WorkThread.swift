internal import Foundation

/// Threads for blocking or long-running work, which belongs neither on an event loop nor in Swift's thread pool.
package enum WorkThread {
    /// Runs work on a new thread.
    ///
    /// - Parameters:
    ///   - name: The name in debuggers, of which the system keeps 15 bytes.
    ///   - work: The work; the thread ends with it.
    package static func begin(_ name: String, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            // Foundation drops a name that is set before the thread runs.
            _ = setName?(pthread_self(), String(decoding: name.utf8.prefix(15), as: UTF8.self))
            work()
        }
        // Encoders need more stack than the default of a secondary thread.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// `pthread_setname_np`, which Swift's Glibc module omits and other C libraries may lack.
    private static let setName: SetName? = dlsym(nil, "pthread_setname_np").map {
        unsafeBitCast($0, to: SetName.self)
    }

    private typealias SetName = @convention(c) (_ thread: pthread_t, _ name: UnsafePointer<CChar>) -> Int32

    /// Runs the same work on several threads, and returns when all have ended.
    ///
    /// - Parameters:
    ///   - name: The name of the threads.
    ///   - count: The number of threads, from 0.
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
