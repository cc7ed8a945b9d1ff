internal import SegueConcurrency
internal import SegueFFmpeg

/// A limit on the number of busy threads per file.
///
/// The caller's thread has one core from the start. More may be granted as other files finish, so all possible threads
/// are started and wait here.
package final class Cores: Sendable {
    private struct State {
        var granted: Int
        var busy = 1
    }

    /// The final maximum number of cores, at least 1.
    package let most: Int

    private let state: Monitor<State>

    /// Creates a limit with `granted` cores now, and `most` in the end (nil for no more).
    package init(_ granted: Int = 1, most: Int? = nil) {
        self.most = max(1, granted, most ?? 1)
        state = Monitor(State(granted: max(1, granted)))
    }

    /// Grants another core.
    package func grant() { state.withLock { $0.granted += 1 } }

    /// Runs work on a thread other than the caller's once a core is free.
    package func use<Result>(_ work: () throws -> Result) rethrows -> Result {
        take()
        defer { giveBack() }
        return try work()
    }

    /// Lends the caller's core while it waits.
    package func whileWaiting<Result>(_ wait: () throws -> Result) rethrows -> Result {
        giveBack()
        defer { take() }
        return try wait()
    }

    private func take() {
        state.wait { state in
            guard state.busy < state.granted else { return nil as Void? }
            state.busy += 1
            return ()
        }
    }

    private func giveBack() { state.withLock { $0.busy -= 1 } }
}
