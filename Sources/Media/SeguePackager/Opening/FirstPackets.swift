internal import SegueFFmpeg

/// What libav makes of the first packets of a file.
struct FirstPackets {
    struct Seen {
        var position: Int64
        var size: Int
        var pts: Int64?
        var duration: Int64
        var isKey: Bool
    }

    /// By the number of the stream.
    var packets: [Int: [Seen]] = [:]
    /// The bytes of each stream's first packet; of a film's first keyframe.
    var heads: [Int: [UInt8]] = [:]
    /// Where the last packet lies.
    var lastPosition: Int64 = -1

    /// Reads packets until there are enough of each stream, and films have come to a keyframe.
    ///
    /// - Returns: nil where that takes too long.
    /// - Throws: ``MediaError`` if it is cancelled.
    static func read(
        _ input: MediaInput,
        _ infos: [StreamInfo],
        least: Int,
        most: Int
    ) throws(MediaError) -> FirstPackets? {
        input.keepOnly(streams: Set(infos.map(\.index)))
        var result = FirstPackets()
        var missing = Set(infos.map(\.index))
        let packet = Packet()
        for _ in 0..<most {
            do {
                guard try input.read(into: packet) else { return nil }
            } catch {
                if error.isCancelled { throw error }
                return nil
            }
            let number = packet.streamIndex
            guard packet.size > 0 else { continue }
            guard packet.position >= 0, !packet.isEncrypted, packet.newExtradata == nil else { return nil }
            let isVideo = infos.first { $0.index == number }?.kind == .video
            if result.heads[number] == nil, packet.isKey || !isVideo { result.heads[number] = packet.bytes }
            result.packets[number, default: []].append(
                Seen(
                    position: packet.position,
                    size: packet.size,
                    pts: packet.pts,
                    duration: packet.duration,
                    isKey: packet.isKey
                )
            )
            result.lastPosition = max(result.lastPosition, packet.position)
            if result.packets[number]?.count ?? 0 >= least, result.heads[number] != nil { missing.remove(number) }
            if missing.isEmpty { return result }
        }
        return nil
    }
}
