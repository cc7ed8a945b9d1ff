internal import CSegueSystem

/// A clock of the system.
package struct SystemClock: Sendable {
    private let number: Int32

    private init(_ number: Int32) { self.number = number }

    /// Counts from 1970, and may be set.
    package static let date = SystemClock(SKERN_CLOCK_DATE)
    /// Nobody sets it.
    package static let steady = SystemClock(SKERN_CLOCK_STEADY)
    /// The processor time of all threads of this process.
    package static let ownProcess = SystemClock(SKERN_CLOCK_PROCESS)

    /// The processor time of the calling thread, for any thread to read while that one lives; nil where the system does
    /// not tell.
    package static func thisThread() -> SystemClock? {
        var number: Int32 = 0
        return skern_clock_of_thread(&number) == 0 ? SystemClock(number) : nil
    }

    /// The processor time of all threads of a process; nil where there is none.
    package static func process(_ id: Int32) -> SystemClock? {
        var number: Int32 = 0
        return skern_clock_of_process(id, &number) == 0 ? SystemClock(number) : nil
    }

    /// What it shows, in nanoseconds; nil where what it measured is no more.
    package var nanoseconds: Int64? {
        let time = skern_clock(number)
        return time < 0 ? nil : time
    }
}
