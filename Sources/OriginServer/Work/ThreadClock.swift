import CDispatch
import Foundation
import Timeline

/// The processor time of the thread that made it, for any thread to read while that one lives.
struct ThreadClock: Sendable {
    private let clock: clockid_t?

    /// The calling thread's.
    init() {
        var clock = clockid_t()
        self.clock = pthread_getcpuclockid(pthread_self(), &clock) == 0 ? clock : nil
    }

    /// What the thread has used; zero where the system does not tell.
    var time: Duration {
        var time = timespec()
        guard let clock, clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
