internal import SegueBase

/// The packet counts of a direction of a link.
package struct LaneCounts: Sendable, Equatable {
    /// The packets that crossed it or are in the queue.
    package internal(set) var packets = 0

    /// The bytes of those packets, with headers.
    package internal(set) var bytes = 0

    /// The packets lost at random.
    package internal(set) var lost = 0

    /// The packets dropped by a full queue.
    package internal(set) var dropped = 0
}

/// The load of a direction's queue.
package struct LaneLoad: Sendable, Equatable {
    package let packets: Int

    /// The bytes, with headers.
    package let bytes: Int

    /// The queueing delay of a packet that arrives now.
    package let delay: Duration

    package init(packets: Int, bytes: Int, delay: Duration) {
        (self.packets, self.bytes, self.delay) = (packets, bytes, delay)
    }
}
