internal import CSegueTime
internal import Glibc
internal import Synchronization

/// The call stack of a thread that does not return.
enum InterruptedThread {
    private static let found = Mutex<CallPlace?>(nil)

    private static let unread = "    (the call stack could not be read)"

    /// Returns the call stack of a thread.
    ///
    /// The thread is interrupted at an arbitrary point, in a run that has failed already.
    static func place(of thread: VirtualThread) -> String {
        found.withLock { $0 = nil }
        guard
            segue_time_interrupt(
                UInt64(thread.handle),
                { _ in
                    let place = CallPlace()
                    InterruptedThread.found.withLock { $0 = place }
                }
            ) == 0
        else { return unread }
        for _ in 0..<100 {
            if let place = found.withLock({ $0 }) { return place.text }
            // A signal handler cannot announce its end. The run has failed, and waits a second at most.
            usleep(10_000)
        }
        return unread
    }
}
