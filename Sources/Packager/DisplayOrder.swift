internal import Media
internal import Timeline

/// Finds out when pictures are shown whose container says only when they are decoded (AVI, some raw streams).
///
/// The stream is decoded once, and each picture gets the time that libav's decoder gives it, as in a direct decode.
enum DisplayOrder {
    /// Whether some picture lacks its presentation time.
    static func isMissing(in index: StreamIndex) -> Bool {
        index.packets.contains { $0.pts == IndexedPacket.unknown }
    }

    /// The stream with all presentation times filled in.
    ///
    /// - Throws: ``MediaError`` or ``PackagingError`` when the file cannot be read or reading is cancelled.
    static func fill(_ index: StreamIndex, reader: PacketReader) throws -> StreamIndex {
        let decoder = try Decoder(
            stream: index.info,
            file: reader.file,
            options: ["skip_loop_filter": "all", "skip_idct": "all"]
        )
        var shown = [Int64?](repeating: nil, count: index.packets.count)
        let frame = typicalDuration(index)
        var last: Int64?
        let note = { (picture: Frame) in
            let place = Int(picture.opaque)
            guard shown.indices.contains(place) else { return }
            let packet = index.packets[place]
            let shift =
                packet.rawPTS == IndexedPacket.unknown || packet.dts == IndexedPacket.unknown
                ? 0 : packet.dts - packet.rawPTS
            let said = picture.bestEffortTimestamp.map { $0 + (packet.pts == IndexedPacket.unknown ? shift : 0) }
            let time = max(said ?? (last.map { $0 + frame } ?? 0), last.map { $0 + 1 } ?? Int64.min)
            shown[place] = time
            last = time
        }
        try reader.begin([index.info.index: 0..<index.packets.count])
        while let (_, number, packet) = try reader.next() {
            do {
                try decoder.decode(packet, opaque: Int64(number), note)
            } catch let error as MediaError {
                if error.isCancelled { throw error }
            }
        }
        try? decoder.decode(nil, note)
        return filled(index, shown, frame)
    }

    private static func filled(_ index: StreamIndex, _ shown: [Int64?], _ frame: Int64) -> StreamIndex {
        var result = index
        let delays = index.packets.indices.compactMap { place -> Int64? in
            let dts = index.packets[place].dts
            guard dts != IndexedPacket.unknown, let time = shown[place] else { return nil }
            return time - dts
        }.sorted()
        let delay = delays.isEmpty ? 0 : delays[delays.count / 2]
        var last: Int64 = 0
        for place in index.packets.indices {
            let dts = index.packets[place].dts
            let time = shown[place] ?? (dts == IndexedPacket.unknown ? last + frame : dts + delay)
            result.packets[place].pts = time
            last = time
        }
        return result
    }

    private static func typicalDuration(_ index: StreamIndex) -> Int64 {
        let said = index.packets.prefix(64).map(\.duration).filter { $0 > 0 }.sorted()
        if !said.isEmpty { return said[said.count / 2] }
        guard let rate = index.info.averageFrameRate ?? index.info.realFrameRate else { return 1 }
        return max(1, Int64(1 / (rate.seconds * index.info.timeBase.seconds)))
    }
}
