internal import SegueFFmpeg

/// The first packets of a file, as read by libav.
struct FirstPackets {
    struct Seen {
        var position: Int64
        var size: Int
        var pts: Int64?
        var duration: Int64
        var isKey: Bool
    }

    /// The packets by stream index.
    var packets: [Int: [Seen]] = [:]
    /// The first packet's bytes by stream; the first keyframe's for video.
    var heads: [Int: [UInt8]] = [:]
    /// The position of the last packet.
    var lastPosition: Int64 = -1

    /// Reads until every stream has enough packets and video has a keyframe; returns nil if that takes too long.
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
