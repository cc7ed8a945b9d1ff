internal import SegueConcurrency
internal import SegueFFmpeg

/// The number of threads may be busy with one file at a time.
///
/// The caller's own thread has one from the beginning. More may be granted while the work goes on, as other files are
/// done; so all threads that could ever be granted are started, and wait here for their turn.
package final class Cores: Sendable {
    private struct State {
        var granted: Int
        var busy = 1
    }

    /// The number of there may be in the end, at least 1.
    package let most: Int

    private let state: Monitor<State>

    /// Cores for a file.
    ///
    /// - Parameters:
    ///   - granted: The number of may be busy now, at least 1.
    ///   - most: The number of may be in the end; nil for no more than now.
    package init(_ granted: Int = 1, most: Int? = nil) {
        self.most = max(1, granted, most ?? 1)
        state = Monitor(State(granted: max(1, granted)))
    }

    /// Lets one more thread be busy.
    package func grant() { state.withLock { $0.granted += 1 } }

    /// Does a piece of work on another thread than the caller's own, when a core is free for it.
    package func use<Result>(_ work: () throws -> Result) rethrows -> Result {
        take()
        defer { giveBack() }
        return try work()
    }

    /// Lends the core of the caller's own thread while that waits.
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
