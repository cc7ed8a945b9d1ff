import Dispatch
import Foundation
import NIOCore
import NIOPosix
import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// Tells the service manager that the server gets on, as long as it does: so that one which does not is started anew.
package final class Watchdog: Sendable {
    private let isStopped = Monitor(false)
    // Only the watchdog's own thread waits here, for a bounded time.
    private let ending = DispatchSemaphore(value: 0)

    /// Starts telling it, twice in the time that it waits.
    ///
    /// - Parameters:
    ///   - manager: The service manager.
    ///   - interval: How long it waits.
    ///   - isAlive: Whether the server gets on; may block for less than a quarter of the interval.
    package init(_ manager: ServiceManager, every interval: Duration, isAlive: @escaping @Sendable () -> Bool) {
        WorkThread.begin("watchdog") { [isStopped, ending] in
            let pause = DispatchTimeInterval.nanoseconds(Int(clamping: (interval / 2).wholeNanoseconds))
            while !isStopped.withLock({ $0 }) {
                // Where the manager cannot be told, it finds out by itself.
                if isAlive() { try? manager.tell(.alive) }
                _ = ending.wait(timeout: .now() + pause)
            }
        }
    }

    deinit { stop() }

    /// Ends it.
    package func stop() {
        isStopped.withLock { $0 = true }
        ending.signal()
    }

    /// Whether all event loops of the server do what they are given.
    ///
    /// - Parameter patience: How long they may take.
    /// - Returns: Whether they do.
    package static func loopsAreAlive(within patience: Duration) -> Bool {
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        let answered = DispatchSemaphore(value: 0)
        for loop in loops { loop.execute { answered.signal() } }
        let end = DispatchTime.now() + .nanoseconds(Int(clamping: patience.wholeNanoseconds))
        return loops.allSatisfy { _ in answered.wait(timeout: end) == .success }
    }
}
