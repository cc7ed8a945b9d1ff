/// The packets in a lane's queue, in order of departure; the owner deallocates it.
struct LaneQueue {
    private struct Packet {
        /// The departure of the last bit, in nanoseconds.
        let departs: Int64
        let bytes: Int
    }

    private var packets = Ring<Packet>(holding: 64)
    private var first = 0
    private var end = 0

    /// The total size.
    private(set) var bytes = 0

    var count: Int { end - first }

    func deallocate() { packets.deallocate() }

    /// Adds a packet that departs after all others.
    @inline(__always)
    mutating func append(_ size: Int, departing departs: Int64) {
        if count > packets.mask { packets.grow(first..<end) }
        packets[end] = Packet(departs: departs, bytes: size)
        end += 1
        bytes += size
    }

    /// Removes the packets that have departed.
    @inline(__always)
    mutating func leave(until now: Int64) {
        while first < end, packets[first].departs <= now {
            bytes -= packets[first].bytes
            first += 1
        }
    }

    /// The packets that have not departed.
    func waiting(at now: Int64) -> [(departs: Int64, bytes: Int)] {
        (first..<end).map { (packets[$0].departs, packets[$0].bytes) }.filter { $0.0 > now }
    }

    mutating func removeAll() { (first, bytes) = (end, 0) }
}
