internal import CSegueSystem
internal import SegueBase

/// The clock of a link, which begins with it.
struct LinkClock {
    private let began = ssock_now()
    private(set) var now = Instant.zero

    /// Advances to a time of the system's clock, in nanoseconds.
    mutating func advance(to nanoseconds: Int64) { now = Instant(nanoseconds: nanoseconds - began) }

    /// The time of an instant on the system's clock, in nanoseconds.
    func nanoseconds(at instant: Instant) -> Int64 { instant.nanoseconds + began }
}
