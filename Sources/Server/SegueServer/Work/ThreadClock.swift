import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// The processor time of the thread that creates it, readable from any thread while that thread exists.
///
/// The time that a worker process spends for the thread is included.
struct ThreadClock: Sendable {
    private let clock = SystemClock.thisThread()
    private let awaited = AwaitedWork.ofThisThread

    /// True if another component detects that the thread hangs.
    var isGuarded: Bool { awaited.isGuarded }

    /// The processor time of the thread; zero if it is unknown.
    var time: Duration {
        .nanoseconds(clock?.nanoseconds ?? 0) + awaited.time
    }
}
