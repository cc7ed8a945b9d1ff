import Dispatch
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// A memory shortage: the process saves memory while bodies find no room, and for a while afterwards.
final class MemoryShortage: Sendable {
    private struct State {
        var isWatched = false
        /// True if there was a shortage since the last check.
        var isNoted = false
    }

    /// The seconds between two checks.
    private static let pause = 0.1
    /// The number of checks without a shortage that end it.
    static let quietLooks = 100

    private let spare: @Sendable () -> Void
    private let end: @Sendable () -> Void
    private let wait: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - spare: Saves memory; called at each check with a shortage.
    ///   - wait: Blocks until the next check.
    init(
        spare: @escaping @Sendable () -> Void,
        end: @escaping @Sendable () -> Void,
        wait: @escaping @Sendable () -> Void = MemoryShortage.waitForPause
    ) { (self.spare, self.end, self.wait) = (spare, end, wait) }

    /// Reports a shortage.
    func note() {
        let isFirst = state.withLock { state in
            state.isNoted = true
            defer { state.isWatched = true }
            return !state.isWatched
        }
        // Returning memory may block for a while, which the caller must not.
        if isFirst { WorkThread.begin("memory") { self.watch() } }
    }

    private func watch() {
        repeat {
            var quiet = 0
            while quiet < Self.quietLooks {
                let isNoted = state.withLock { state in
                    defer { state.isNoted = false }
                    return state.isNoted
                }
                quiet = isNoted ? 0 : quiet + 1
                if isNoted { spare() }
                wait()
            }
            end()
            // A shortage reported in between counts.
        } while state.withLock({ state in
            state.isWatched = state.isNoted
            return state.isNoted
        })
    }

    @Sendable private static func waitForPause() {
        // Nothing signals this semaphore: the wait is independent of changes to the system clock.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + pause)
    }
}
