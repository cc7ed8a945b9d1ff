internal import SegueFFmpeg

/// The encoding of cached indexes.
package enum KeptIndex {
    /// The version of Segue's indexing and of libav; data of other versions is ignored.
    package static var version: String { "6 \(MediaLibraries.versions)" }

    /// Encodes an index.
    static func bytes(of index: FileIndex) -> [UInt8] {
        var writer = KeptWriter()
        writer.put(index.hasFingerprints)
        writer.put(index.isStored)
        writer.put(index.stoppedBy != nil)
        writer.put(index.stoppedBy ?? "")
        writer.put(index.emptySubtitles.sorted()) { $0.put($1) }
        writer.put(index.streams.sorted { $0.key < $1.key }) { $0.put($1.value) }
        return writer.sealed()
    }

    /// Decodes an index; nil if it is damaged or describes other streams.
    static func index(_ bytes: [UInt8], of infos: [StreamInfo]) -> FileIndex? {
        try? read(bytes) { reader throws(KeptReader.Damage) in
            var index = FileIndex(hasFingerprints: try reader.flag())
            index.isStored = try reader.flag()
            let isStopped = try reader.flag()
            let reason = try reader.text()
            index.stoppedBy = isStopped ? reason : nil
            index.emptySubtitles = Set(try reader.list { reader throws(KeptReader.Damage) in try reader.number() })
            let streams = try reader.list { reader throws(KeptReader.Damage) in try reader.stream(infos) }
            for stream in streams { index.streams[stream.info.index] = stream }
            return index
        }
    }

    static func bytes(of packets: PacketList) -> [UInt8] {
        var writer = KeptWriter()
        writer.put(packets)
        return writer.sealed()
    }

    /// Decodes packets; nil if they are damaged.
    static func packets(_ bytes: [UInt8]) -> PacketList? {
        try? read(bytes) { reader throws(KeptReader.Damage) in try reader.packets() }
    }

    /// Decodes sealed bytes completely.
    static func read<Value>(
        _ bytes: [UInt8],
        _ body: (inout KeptReader) throws(KeptReader.Damage) -> Value
    ) throws(KeptReader.Damage) -> Value {
        var reader = try KeptReader(bytes)
        let value = try body(&reader)
        guard reader.isAtEnd else { throw KeptReader.Damage() }
        return value
    }
}

extension KeptWriter {
    fileprivate mutating func put(_ stream: StreamIndex) {
        put(stream.info.index)
        put(stream.info.codec)
        put(stream.packets)
        put(stream.skips.sorted { $0.key < $1.key }) {
            $0.put($1.key)
            $0.put($1.value.start)
            $0.put($1.value.end)
        }
        put(stream.configurations) {
            $0.put($1.packet)
            $0.put(Int64(bitPattern: $1.key))
        }
        put(stream.extradataChanges) {
            $0.put($1.packet)
            $0.put($1.bytes)
        }
        put(stream.firstPacket)
        put(stream.hasAscendingPositions)
        put(stream.isEncrypted)
        put(stream.hasHiddenInside)
        put(stream.partial) {
            $0.put($1.packet)
            $0.put(Int($1.kind.rawValue))
        }
    }

    fileprivate mutating func put(_ packets: PacketList) {
        put(packets.columns)
        put(packets.blocks) { writer, block in
            writer.put(block.offset)
            writer.put(block.step)
            for field in 0..<8 {
                writer.put(block.bases[field])
                writer.put(block.widths[field])
            }
        }
        put(packets.rest) { writer, packet in
            for number in [packet.rawPTS, packet.pts, packet.dts, packet.duration, packet.position] {
                writer.put(number)
            }
            writer.put(packet.size)
            writer.put(packet.fingerprint)
            writer.put(packet.epoch)
            writer.put(packet.lead)
            for flag in [packet.isKey, packet.isDiscarded, packet.isHidden] { writer.put(flag) }
        }
    }
}

extension KeptReader {
    fileprivate mutating func stream(_ infos: [StreamInfo]) throws(Damage) -> StreamIndex {
        let number = try number(Int.self)
        guard infos.indices.contains(number), try text() == infos[number].codec else { throw Damage() }
        var stream = StreamIndex(info: infos[number])
        stream.packets = try packets()
        let count = stream.packets.count
        let place = { (reader: inout KeptReader) throws(Damage) -> Int in
            let place = try reader.number(Int.self)
            guard (0..<count).contains(place) else { throw Damage() }
            return place
        }
        let skips = try list { reader throws(Damage) in
            (try place(&reader), SampleSkip(start: try reader.number(), end: try reader.number()))
        }
        for (packet, skip) in skips { stream.skips[packet] = skip }
        stream.configurations = try list { reader throws(Damage) in
            (try place(&reader), UInt64(bitPattern: try reader.number(Int64.self)))
        }
        stream.extradataChanges = try list { reader throws(Damage) in (try place(&reader), try reader.content()) }
        stream.firstPacket = try content()
        stream.hasAscendingPositions = try flag()
        stream.isEncrypted = try flag()
        stream.hasHiddenInside = try flag()
        stream.partial = try list { reader throws(Damage) in
            let packet = try place(&reader)
            guard let kind = PartialPacket.Kind(rawValue: try reader.number()) else { throw Damage() }
            return PartialPacket(packet: packet, kind: kind)
        }
        return stream
    }

    fileprivate mutating func packets() throws(Damage) -> PacketList {
        let columns = try content()
        let blocks = try list { reader throws(Damage) in
            var block = PacketList.Block(
                offset: try reader.number(),
                bases: .zero,
                step: 0,
                widths: .zero
            )
            block.step = try reader.number()
            var width = 0
            for field in 0..<8 {
                block.bases[field] = try reader.number()
                block.widths[field] = try reader.number()
                guard block.widths[field] <= 8 else { throw Damage() }
                width += Int(block.widths[field])
            }
            let most = columns.count - PacketList.padding - width * PacketList.blockSize
            guard block.offset >= 0, block.offset <= most else { throw Damage() }
            return block
        }
        let rest = try list { reader throws(Damage) in try reader.packet() }
        guard columns.count >= PacketList.padding, rest.count < PacketList.blockSize else { throw Damage() }
        return PacketList(blocks: blocks, columns: columns, rest: rest)
    }

    private mutating func packet() throws(Damage) -> IndexedPacket {
        let times = (try number(Int64.self), try number(Int64.self), try number(Int64.self))
        var packet = IndexedPacket(
            rawPTS: times.0,
            pts: times.1,
            dts: times.2,
            duration: try number(),
            position: try number(),
            size: try number(),
            fingerprint: try number(),
            isKey: false,
            isDiscarded: false,
            epoch: try number(),
            lead: try number()
        )
        packet.isKey = try flag()
        packet.isDiscarded = try flag()
        packet.isHidden = try flag()
        return packet
    }
}
