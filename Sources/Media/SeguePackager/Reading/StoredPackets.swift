internal import SegueConcurrency
internal import SegueFFmpeg

/// A demuxer-free reader of contiguously stored packets.
struct StoredPackets {
    let file: String
    let index: FileIndex
    let cancellation: Cancellation

    /// A packet: its stream, its number in the index, and its bytes.
    typealias Read = (stream: Int, number: Int, payload: MediaSample.Payload)

    /// True if the demuxer's first packet of each stream equals the bytes at its indexed position.
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

    /// Reads packets in file order and passes each to `take`.
    func read(_ ranges: [Int: Range<Int>], _ take: (Read) throws -> Void) throws {
        var walk = try StoredWalk(file: file, index: index, ranges)
        while let read = try walk.next(cancellation) { try take(read) }
    }
}
