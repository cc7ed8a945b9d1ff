/// The packets in the queue of a lane, in the order in which they leave it; whoever has it deallocates it.
struct LaneQueue {
    private struct Packet {
        /// When its last bit leaves, in nanoseconds.
        let departs: Int64
        let bytes: Int
    }

    private var packets = Ring<Packet>(holding: 64)
    private var first = 0
    private var end = 0

    /// How many bytes they have together.
    private(set) var bytes = 0

    /// How many there are.
    var count: Int { end - first }

    func deallocate() { packets.deallocate() }

    /// A packet joins that leaves when those before it have.
    @inline(__always)
    mutating func append(_ size: Int, departing departs: Int64) {
        if count > packets.mask { packets.grow(first..<end) }
        packets[end] = Packet(departs: departs, bytes: size)
        end += 1
        bytes += size
    }

    /// What has left by an instant is gone.
    @inline(__always)
    mutating func leave(until now: Int64) {
        while first < end, packets[first].departs <= now {
            bytes -= packets[first].bytes
            first += 1
        }
    }

    /// Those that have not left by an instant.
    func waiting(at now: Int64) -> [(departs: Int64, bytes: Int)] {
        (first..<end).map { (packets[$0].departs, packets[$0].bytes) }.filter { $0.0 > now }
    }

    /// All are gone.
    mutating func removeAll() { (first, bytes) = (end, 0) }
}
