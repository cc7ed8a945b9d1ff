internal import Media

/// Reads packets whose bytes lie in the file as they are, without a demuxer: the index says where.
struct StoredPackets {
    let file: String
    let index: FileIndex
    let cancellation: Cancellation

    /// A packet that was read: its stream, its number in the index, and its bytes.
    typealias Read = (stream: Int, number: Int, payload: MediaSample.Payload)

    /// Where a packet lies.
    private struct Place {
        var start: Int64
        var size: Int
        var stream: Int
        var number: Int

        var end: Int64 { start + Int64(size) }
    }

    /// How many bytes that nobody wants may lie between two packets that are read at once.
    private static let greatestGap: Int64 = 32 << 10
    /// How many bytes are read at once, but for a packet that is larger.
    private static let greatestStretch: Int64 = 1 << 20

    /// Whether packets of a file can be read like this, as far as the first of each stream shows.
    ///
    /// - Parameters:
    ///   - index: The file's packets, known by their places.
    ///   - path: The file.
    /// - Returns: Whether what a demuxer gave for each stream's first packet lies at its place.
    static func canRead(_ index: FileIndex, path: String) -> Bool {
        guard !index.hasFingerprints, index.stoppedBy == nil, let reader = try? StretchReader(path: path) else {
            return false
        }
        return index.streams.values.allSatisfy { stream in
            guard !stream.isEncrypted else { return false }
            let known = stream.info.kind == .video ? stream.packets.firstIndex(where: \.isKey) : 0
            guard let known, stream.packets.indices.contains(known), !stream.firstPacket.isEmpty else { return false }
            let packet = stream.packets[known]
            guard Int(packet.size) == stream.firstPacket.count,
                let stretch = try? reader.read(from: packet.contentStart, count: Int(packet.size))
            else { return false }
            return stretch.withBytes(0..<stretch.count) { $0.elementsEqual(stream.firstPacket) }
        }
    }

    /// Reads packets, in the order in which they lie.
    ///
    /// - Parameters:
    ///   - ranges: For each stream, numbers in the index.
    ///   - take: Is given each packet.
    /// - Throws: ``MediaError`` when the file cannot be read or reading is cancelled.
    func read(_ ranges: [Int: Range<Int>], _ take: (Read) throws -> Void) throws {
        var places: [Place] = []
        places.reserveCapacity(ranges.values.reduce(0) { $0 + $1.count })
        for (stream, range) in ranges {
            guard let packets = index.streams[stream]?.packets else { continue }
            for number in range {
                let packet = packets[number]
                places.append(
                    Place(start: packet.contentStart, size: Int(packet.size), stream: stream, number: number)
                )
            }
        }
        places.sort { ($0.start, $0.stream) < ($1.start, $1.stream) }
        let reader = try StretchReader(path: file)
        var first = 0
        while first < places.count {
            try cancellation.check("read", file: file)
            let start = places[first].start
            var (next, end) = (first + 1, places[first].end)
            while next < places.count, places[next].start <= end + StoredPackets.greatestGap,
                places[next].end - start <= StoredPackets.greatestStretch
            {
                end = max(end, places[next].end)
                next += 1
            }
            let stretch = try reader.read(from: start, count: Int(end - start))
            for place in places[first..<next] {
                let offset = Int(place.start - start)
                try take((place.stream, place.number, .stored(stretch, offset..<offset + place.size)))
            }
            first = next
        }
    }
}
