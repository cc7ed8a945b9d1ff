internal import SegueConcurrency
internal import SegueFFmpeg

/// An iterator over indexed packets: each stream in decode order, several streams in file order.
///
/// Nearby packets are read together and only that section is held. A stream may go back in the file, as with an edit
/// list that reorders parts.
struct StoredWalk {
    /// A packet's position.
    private struct Place {
        var start: Int64
        var size: Int
        var stream: Int
        var number: Int

        var end: Int64 { start + Int64(size) }
    }

    /// The remaining packets of a stream.
    private struct Lane {
        var packets: PacketList.Iterator
        var next: Place

        /// Advances to the next packet; returns false at the end.
        mutating func advance() -> Bool {
            guard let packet = packets.next() else { return false }
            let number = next.number + 1
            next = Place(start: packet.contentStart, size: Int(packet.size), stream: next.stream, number: number)
            return true
        }
    }

    /// The maximum gap between packets read together, in bytes.
    private static let greatestGap: Int64 = 32 << 10
    /// The maximum size of one read unless a packet is larger, in bytes.
    private static let greatestStretch: Int64 = 1 << 20

    private let file: String
    private let reader: StretchReader
    private var lanes: [Lane] = []
    private var stretch: Stretch?
    /// The packets of the section, the last first.
    private var held: [Place] = []

    /// Creates an iterator over packets by stream and number.
    init(file: String, index: FileIndex, _ ranges: [Int: Range<Int>]) throws(MediaError) {
        self.file = file
        reader = try StretchReader(path: file)
        for (stream, range) in ranges.sorted(by: { $0.key < $1.key }) {
            guard let found = index.streams[stream] else { continue }
            let none = Place(start: 0, size: 0, stream: stream, number: range.lowerBound - 1)
            var lane = Lane(packets: found.packets.run(range).makeIterator(), next: none)
            if lane.advance() { lanes.append(lane) }
        }
    }

    mutating func next(_ cancellation: Cancellation) throws(MediaError) -> StoredPackets.Read? {
        if held.isEmpty {
            try cancellation.check("read", file: file)
            guard try readOn() else { return nil }
        }
        guard let stretch, let place = held.popLast() else { return nil }
        let offset = Int(place.start - stretch.start)
        return (place.stream, place.number, .stored(stretch, offset..<offset + place.size))
    }

    /// Reads the next group of nearby packets; returns false at the end.
    private mutating func readOn() throws(MediaError) -> Bool {
        guard let first = take(within: .min ... .max, endingBy: .max) else { return false }
        held = [first]
        var end = first.end
        let last = first.start + StoredWalk.greatestStretch
        while let next = take(within: first.start...end + StoredWalk.greatestGap, endingBy: last) {
            end = max(end, next.end)
            held.append(next)
        }
        held.reverse()
        stretch = try reader.read(from: first.start, count: Int(end - first.start))
        return true
    }

    /// Takes the next packet in file order that lies within a time range.
    private mutating func take(within starts: ClosedRange<Int64>, endingBy end: Int64) -> Place? {
        let lane = lanes.indices.min {
            (lanes[$0].next.start, lanes[$0].next.stream) < (lanes[$1].next.start, lanes[$1].next.stream)
        }
        guard let lane, case let place = lanes[lane].next, starts.contains(place.start), place.end <= end else {
            return nil
        }
        if !lanes[lane].advance() { lanes.remove(at: lane) }
        return place
    }
}
