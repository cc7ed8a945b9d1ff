internal import CSegueTime
internal import Glibc
internal import Synchronization

/// Where a thread stands that does not come back.
enum InterruptedThread {
    private static let found = Mutex<CallPlace?>(nil)

    private static let unread = "    (its calls could not be read)"

    /// The calls that a thread is in.
    ///
    /// The thread is interrupted in the midst of what it does, which is given up anyway.
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
            // A signal handler can tell nobody that it is done; the run has been given up, and waits a second at most.
            usleep(10_000)
        }
        return unread
    }
}
