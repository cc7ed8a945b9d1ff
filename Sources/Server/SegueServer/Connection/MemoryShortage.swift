import Dispatch
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// Has the process be sparing with memory while there is no room for what clients are being sent, and for a while after.
final class MemoryShortage: Sendable {
    private struct State {
        /// Whether a thread looks after it.
        var isWatched = false
        /// Whether there was no room since the thread looked.
        var isNoted = false
    }

    /// Seconds between two looks.
    private static let pause = 0.1
    /// How many looks in a row that find no need end it.
    static let quietLooks = 100

    private let spare: @Sendable () -> Void
    private let end: @Sendable () -> Void
    private let wait: @Sendable () -> Void
    private let state = Mutex(State())

    /// No shortage yet.
    ///
    /// - Parameters:
    ///   - spare: Makes the process sparing, and gives memory back; called at each look that finds need.
    ///   - end: Has it be as usual.
    ///   - wait: Blocks until it is time to look again.
    init(
        spare: @escaping @Sendable () -> Void,
        end: @escaping @Sendable () -> Void,
        wait: @escaping @Sendable () -> Void = MemoryShortage.waitForPause
    ) { (self.spare, self.end, self.wait) = (spare, end, wait) }

    /// Says that there was no room.
    func note() {
        let isFirst = state.withLock { state in
            state.isNoted = true
            defer { state.isWatched = true }
            return !state.isWatched
        }
        // Giving memory back may block for a while, which whoever finds no room must not.
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
            // Whoever found no room in between has seen that somebody is looking.
        } while state.withLock({ state in
            state.isWatched = state.isNoted
            return state.isNoted
        })
    }

    @Sendable private static func waitForPause() {
        // Nobody signals it: a wait that the system's clock does not change.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + pause)
    }
}
