import Foundation
import SegueConcurrency
import SegueFFmpeg

/// Processes that were started here and that nobody has to do with any more.
///
/// The system keeps an entry for each that has ended until it is waited for, which a thread of its own does: one that the
/// system cannot end at once, as it waits for a disk, holds up nobody.
final class OrphanReaper: Sendable {
    /// Those that this process has started.
    static let ofThisProcess = OrphanReaper()

    /// How long it is until those are looked at again that have not ended, in microseconds.
    private static let interval: UInt32 = 20_000

    private let numbers = Monitor<Set<pid_t>>([])

    private init() {
        WorkThread.begin("left processes") { [numbers] in
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

    /// Ends a process, and has it waited for.
    func take(_ number: pid_t) {
        kill(number, SIGKILL)
        numbers.withLock { _ = $0.insert(number) }
    }

    /// Blocks until a process is none of them.
    func wait(for number: pid_t) { numbers.wait(for: { !$0.contains(number) }) }
}
