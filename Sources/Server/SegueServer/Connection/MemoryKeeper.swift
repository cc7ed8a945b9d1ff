import NIOCore
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// Has memory given back to the system once many clients have gone.
///
/// What a thousand connections have had lies in small pieces between what is still in use, so the C library keeps it by
/// itself for ever. While clients come and go by ones and twos that is as well: they use it again.
final class MemoryKeeper: Sendable {
    private struct State {
        var open = 0
        /// The most that have been open since memory was last given back.
        var most = 0
        var isWaiting = false
    }

    /// How many connections have to go.
    private static let many = 16
    /// How long after they have gone.
    private static let delay = TimeAmount.seconds(2)

    private let state = Mutex(State())
    private let trim: @Sendable () -> Void

    /// A keeper that calls a function to give memory back.
    init(_ trim: @escaping @Sendable () -> Void) { self.trim = trim }

    /// How many connections are open.
    var connections: Int { state.withLock { $0.open } }

    /// Says that a client has come.
    func connectionOpened() {
        state.withLock { state in
            state.open += 1
            state.most = max(state.most, state.open)
        }
    }

    /// Says that a client has gone.
    ///
    /// - Parameter eventLoop: Where to wait until the rest have gone that go with it.
    func connectionClosed(_ eventLoop: any EventLoop) {
        let isTime = state.withLock { state in
            state.open -= 1
            guard !state.isWaiting, state.most - state.open >= max(Self.many, state.open) else { return false }
            state.isWaiting = true
            return true
        }
        guard isTime else { return }
        eventLoop.scheduleTask(in: Self.delay) { [self] in
            state.withLock { state in
                state.isWaiting = false
                state.most = state.open
            }
            // It may block for a while, which an event loop must not.
            WorkThread.begin("memory", trim)
        }
    }
}
