internal import SegueConcurrency
internal import SegueFFmpeg

/// Reads packets whose bytes lie in the file as they are, without a demuxer: the index says where.
struct StoredPackets {
    let file: String
    let index: FileIndex
    let cancellation: Cancellation

    /// A packet that was read: its stream, its number in the index, and its bytes.
    typealias Read = (stream: Int, number: Int, payload: MediaSample.Payload)

    /// True if packets of a file can be read like this, as far as the first of each stream shows.
    ///
    /// - Parameters:
    ///   - index: The file's packets, known by their places.
    ///   - path: The file.
    /// - Returns: True if what a demuxer gave for each stream's first packet lies at its place.
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
    /// - Throws: ``MediaError`` if the file cannot be read or reading is cancelled.
    func read(_ ranges: [Int: Range<Int>], _ take: (Read) throws -> Void) throws {
        var walk = try StoredWalk(file: file, index: index, ranges)
        while let read = try walk.next(cancellation) { try take(read) }
    }
}
