internal import CSegueSystem

package struct SystemClock: Sendable {
    private let number: Int32

    private init(_ number: Int32) { self.number = number }

    /// The wall clock since 1970, which may be set.
    package static let date = SystemClock(SKERN_CLOCK_DATE)
    /// The monotonic clock.
    package static let steady = SystemClock(SKERN_CLOCK_STEADY)
    /// The processor time of all threads of this process.
    package static let ownProcess = SystemClock(SKERN_CLOCK_PROCESS)

    /// The processor time of the calling thread, readable by any thread while the thread lives; nil if the system does
    /// not provide it.
    package static func thisThread() -> SystemClock? {
        var number: Int32 = 0
        return skern_clock_of_thread(&number) == 0 ? SystemClock(number) : nil
    }

    /// The processor time of all threads of a process; nil without such a process.
    package static func process(_ id: Int32) -> SystemClock? {
        var number: Int32 = 0
        return skern_clock_of_process(id, &number) == 0 ? SystemClock(number) : nil
    }

    /// The time in nanoseconds; nil after the end of the measured thread or process.
    package var nanoseconds: Int64? {
        let time = skern_clock(number)
        return time < 0 ? nil : time
    }
}
