import Foundation
import SegueConcurrency
import SegueFFmpeg

/// A reaper of child processes that are no longer needed.
///
/// The system keeps an entry for each ended process until it is waited for, which a thread of its own does: a process
/// that cannot be killed at once, such as one that waits for a disk, blocks no one.
final class OrphanReaper: Sendable {
    static let ofThisProcess = OrphanReaper()

    /// The interval of checks in microseconds.
    private static let interval: UInt32 = 20_000

    private let numbers = Monitor<Set<pid_t>>([])

    private init() {
        WorkThread.begin("orphan reaper") { [numbers] in
            while true {
                numbers.wait(for: { !$0.isEmpty })
                let areLeft = numbers.withLock { numbers in
                    numbers = numbers.filter { number in
                        var status: Int32 = 0
                        return waitpid(number, &status, WNOHANG) == 0
                    }
                    return !numbers.isEmpty
                }
                if areLeft { usleep(Self.interval) }
            }
        }
    }

    /// Kills a process and waits for it on the thread.
    func take(_ number: pid_t) {
        kill(number, SIGKILL)
        numbers.withLock { _ = $0.insert(number) }
    }

    /// Blocks until a process is reaped.
    func wait(for number: pid_t) { numbers.wait(for: { !$0.contains(number) }) }
}
