import NIOCore
import SegueConcurrency
import SegueFFmpeg
import Synchronization

/// A trigger that returns memory to the system after many clients disconnect.
///
/// The memory of a thousand connections lies in small pieces between used ones, so the C library keeps it. While single
/// clients come and go, that is desirable.
final class MemoryTrimmer: Sendable {
    private struct State {
        var open = 0
        /// The maximum number of open connections since memory was last returned.
        var most = 0
        var isWaiting = false
    }

    /// The number of closed connections that triggers it.
    private static let many = 16
    /// The delay after they are closed.
    private static let delay = TimeAmount.seconds(2)

    private let state = Mutex(State())
    private let trim: @Sendable () -> Void

    init(_ trim: @escaping @Sendable () -> Void) { self.trim = trim }

    var connections: Int { state.withLock { $0.open } }

    func connectionOpened() {
        state.withLock { state in
            state.open += 1
            state.most = max(state.most, state.open)
        }
    }

    /// Counts a closed connection.
    ///
    /// - Parameter eventLoop: Waits for connections that close at the same time.
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
