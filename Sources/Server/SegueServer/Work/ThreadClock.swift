import SegueBase
import SegueConcurrency
import SegueFFmpeg

/// The processor time of the thread that makes it, for any thread to read while that one lives.
///
/// What another process used for the thread counts as its own.
struct ThreadClock: Sendable {
    private let clock = SystemClock.thisThread()
    private let awaited = AwaitedWork.ofThisThread

    /// Whether somebody else notices it where the thread does not get on.
    var isGuarded: Bool { awaited.isGuarded }

    /// What the thread has used; zero where the system does not tell.
    var time: Duration {
        .nanoseconds(clock?.nanoseconds ?? 0) + awaited.time
    }
}
