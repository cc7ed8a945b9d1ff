internal import SegueBase

/// What has been sent over a direction of a link.
package struct LaneCounts: Sendable, Equatable {
    /// Packets that crossed it or are in its queue.
    package internal(set) var packets = 0

    /// Their bytes, headers included.
    package internal(set) var bytes = 0

    /// Packets that were lost by chance.
    package internal(set) var lost = 0

    /// Packets that found the queue full.
    package internal(set) var dropped = 0
}

/// What waits in the queue of a direction of a link.
package struct LaneLoad: Sendable, Equatable {
    /// Packets.
    package let packets: Int

    /// Their bytes, headers included.
    package let bytes: Int

    /// How long a packet would wait that came now.
    package let delay: Duration

    /// What waits in a queue.
    package init(packets: Int, bytes: Int, delay: Duration) {
        (self.packets, self.bytes, self.delay) = (packets, bytes, delay)
    }
}
