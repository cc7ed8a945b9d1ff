import Dispatch
import Foundation
import NIOCore
import NIOPosix
import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// Sends signs of life to the service manager while the server responds, so that a server that hangs is restarted.
package final class Watchdog: Sendable {
    private let isStopped = Monitor(false)
    // Only the watchdog's own thread waits here, for a bounded time.
    private let ending = DispatchSemaphore(value: 0)

    /// Starts to send signs of life, two in each interval.
    ///
    /// - Parameters:
    ///   - interval: The watchdog's time limit.
    ///   - isAlive: Returns true if the server responds; may block for less than a quarter of the interval.
    package init(_ manager: ServiceManager, every interval: Duration, isAlive: @escaping @Sendable () -> Bool) {
        WorkThread.begin("watchdog") { [isStopped, ending] in
            let pause = DispatchTimeInterval.nanoseconds(Int(clamping: (interval / 2).wholeNanoseconds))
            while !isStopped.withLock({ $0 }) {
                // A manager that cannot be reached restarts the server.
                if isAlive() { try? manager.tell(.alive) }
                _ = ending.wait(timeout: .now() + pause)
            }
        }
    }

    deinit { stop() }

    package func stop() {
        isStopped.withLock { $0 = true }
        ending.signal()
    }

    /// Returns true if all event loops run a task within a time.
    package static func loopsAreAlive(within patience: Duration) -> Bool {
        let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        let answered = DispatchSemaphore(value: 0)
        for loop in loops { loop.execute { answered.signal() } }
        let end = DispatchTime.now() + .nanoseconds(Int(clamping: patience.wholeNanoseconds))
        return loops.allSatisfy { _ in answered.wait(timeout: end) == .success }
    }
}
