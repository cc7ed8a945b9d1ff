internal import SegueBase

/// The new arrivals of packets that are under way when a link switches to another network.
struct RescheduledArrivals {
    /// The delays of each connection, without queueing and jitter.
    typealias Delays = [LinkConnection: (down: Duration, up: Duration)]

    private let moved: (down: [Lanes.Moved], up: [Lanes.Moved])
    private let before: Delays
    private let after: Delays
    private let now: Instant

    /// Creates the arrivals after a change.
    ///
    /// - Parameters:
    ///   - moved: The former and the new departure of each packet in both queues.
    ///   - before: The delays on the former network.
    ///   - after: The delays on the new network.
    init(_ moved: (down: [Lanes.Moved], up: [Lanes.Moved]), before: Delays, after: Delays, at now: Instant) {
        (self.moved, self.before, self.after, self.now) = (moved, before, after, now)
    }

    /// Returns the new time of an event; packets that have departed and other events keep their time.
    func time(of entry: LinkQueue.Entry, planned instant: Instant) -> Instant {
        guard let direction = entry.event.packetDirection, let former = before[entry.connection],
            let delay = after[entry.connection]
        else { return instant }
        let old = direction == .down ? former.down : former.up
        let packets = direction == .down ? moved.down : moved.up
        guard let departs = departure(of: Instant(nanoseconds: instant.nanoseconds - old.wholeNanoseconds), in: packets)
        else { return instant }
        return departs + (direction == .down ? delay.down : delay.up)
    }

    /// The new departure of a packet that would have departed around a time; nil if it has departed.
    private func departure(of before: Instant, in moved: [Lanes.Moved]) -> Instant? {
        guard before > now, !moved.isEmpty else { return nil }
        var (low, high) = (0, moved.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if moved[middle].before < before { low = middle + 1 } else { high = middle }
        }
        return moved[low].after
    }
}
