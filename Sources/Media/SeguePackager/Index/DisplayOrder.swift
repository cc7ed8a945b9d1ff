internal import SegueBase
internal import SegueFFmpeg

/// Derives display times for streams with only decode times (AVI, some raw streams).
///
/// The order is read from frame headers. The times equal those of a direct decode, in which a frame gets the time of
/// the packet that makes the decoder output it. If headers give no order, the stream is decoded once.
enum DisplayOrder {
    /// True if any frame lacks a presentation time.
    static func isMissing(in index: StreamIndex) -> Bool {
        index.packets.lacksPresentationTimes
    }

    /// Fills in all presentation times.
    static func fill(_ index: StreamIndex, reader: PacketReader) throws -> StreamIndex {
        guard index.info.canReorder else { return inOrder(index) }
        if let read = try readOrder(index, reader: reader) { return read }
        return try decodeOrder(index, reader: reader)
    }

    /// Uses decode times as presentation times, for codecs without reordering.
    private static func inOrder(_ index: StreamIndex) -> StreamIndex {
        let frame = typicalDuration(index)
        var last: Int64?
        return index.mappingPackets { _, packet in
            let known = packet.pts != IndexedPacket.unknown ? packet.pts : packet.dts
            let time = known != IndexedPacket.unknown ? known : last.map { $0 + frame } ?? 0
            packet.pts = time
            last = time
        }
    }

    /// Reads the order from H.264 and HEVC headers; nil if it is ambiguous.
    private static func readOrder(_ index: StreamIndex, reader: PacketReader) throws -> StreamIndex? {
        let known = index.packets.count { $0.dts != IndexedPacket.unknown }
        guard known == index.packets.count || known == 0, let parser = VideoParser(stream: index.info)
        else { return nil }
        var numbers = [Int](repeating: 0, count: index.packets.count)
        try reader.begin([index.info.index: 0..<index.packets.count])
        while let (_, number, packet) = try reader.next() { numbers[number] = parser.outputNumber(of: packet) }
        guard let ranks = ranks(numbers, keys: index.packets.map(\.isKey)) else { return nil }
        let frame = typicalDuration(index)
        // A raw stream has no timestamps; its frames are contiguous.
        let times =
            known > 0 ? index.packets.map(\.dts).sorted() : index.packets.indices.map { Int64($0) * frame }
        let delay = known > 0 ? index.info.reorderDelay : 0
        return index.mappingPackets { place, packet in
            let late = ranks[place] + delay
            packet.pts = late < times.count ? times[late] : (times.last ?? 0) + Int64(late - times.count + 1) * frame
        }
    }

    /// Ranks frames by display number between keyframes; nil if a number occurs twice.
    static func ranks(_ numbers: [Int], keys: [Bool]) -> [Int]? {
        var ranks = [Int](repeating: 0, count: numbers.count)
        var start = 0
        while start < numbers.count {
            var end = start + 1
            while end < numbers.count, !keys[end] { end += 1 }
            let sorted = (start..<end).sorted { numbers[$0] < numbers[$1] }
            for (place, number) in sorted.enumerated() {
                if place > 0, numbers[sorted[place - 1]] == numbers[number] { return nil }
                ranks[number] = start + place
            }
            start = end
        }
        return ranks
    }

    private static func decodeOrder(_ index: StreamIndex, reader: PacketReader) throws -> StreamIndex {
        let decoder = try Decoder(
            stream: index.info,
            file: reader.file,
            options: ["skip_loop_filter": "all", "skip_idct": "all"]
        )
        var shown = [Int64?](repeating: nil, count: index.packets.count)
        let frame = typicalDuration(index)
        var last: Int64?
        let note = { (decoded: Frame) in
            let place = Int(decoded.opaque)
            guard shown.indices.contains(place) else { return }
            let packet = index.packets[place]
            let shift =
                packet.rawPTS == IndexedPacket.unknown || packet.dts == IndexedPacket.unknown
                ? 0 : packet.dts - packet.rawPTS
            let said = decoded.bestEffortTimestamp.map { $0 + (packet.pts == IndexedPacket.unknown ? shift : 0) }
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
        return filled(index, shown: shown, frame: frame)
    }

    private static func filled(_ index: StreamIndex, shown: [Int64?], frame: Int64) -> StreamIndex {
        let delays = index.packets.indices.compactMap { place -> Int64? in
            let dts = index.packets[place].dts
            guard dts != IndexedPacket.unknown, let time = shown[place] else { return nil }
            return time - dts
        }.sorted()
        let delay = delays.isEmpty ? 0 : delays[delays.count / 2]
        var last: Int64 = 0
        return index.mappingPackets { place, packet in
            let time = shown[place] ?? (packet.dts == IndexedPacket.unknown ? last + frame : packet.dts + delay)
            packet.pts = time
            if shown[place] == nil { packet.isHidden = true }
            last = time
        }
    }

    private static func typicalDuration(_ index: StreamIndex) -> Int64 {
        let said = index.packets.prefix(64).map(\.duration).filter { $0 > 0 }.sorted()
        if !said.isEmpty { return said[said.count / 2] }
        guard let rate = index.info.averageFrameRate ?? index.info.realFrameRate else { return 1 }
        return max(1, Int64(1 / (rate.seconds * index.info.timeBase.seconds)))
    }
}

extension StreamIndex {
    /// Applies a change to every packet, in file order.
    fileprivate func mappingPackets(_ change: (_ number: Int, _ packet: inout IndexedPacket) -> Void) -> StreamIndex {
        var result = self
        result.packets = PacketList()
        for (number, packet) in packets.enumerated() {
            var packet = packet
            change(number, &packet)
            result.packets.append(packet)
        }
        return result
    }
}

extension DisplayOrder {
    /// Fills in all presentation times, reusing cached ones.
    static func filled(_ index: StreamIndex, reader: PacketReader, pool: InputPool) throws -> StreamIndex {
        let index = try FieldTimes.mended(index, reader: reader)
        guard isMissing(in: index) else { return index }
        var filled = index
        filled.packets = try pool.findings.value(
            "order/\(index.info.index)",
            read: { KeptIndex.packets($0).flatMap { $0.count == index.packets.count ? $0 : nil } },
            write: KeptIndex.bytes(of:),
            find: { try fill(index, reader: reader).packets }
        )
        return filled
    }
}
