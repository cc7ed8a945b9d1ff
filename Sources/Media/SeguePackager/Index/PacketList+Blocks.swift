/// Block-level queries that do not unpack each packet.
extension PacketList {
    /// True if any packet lacks a presentation time.
    var lacksPresentationTimes: Bool {
        let size = PacketList.blockSize
        return blocks.indices.contains { number in
            !blocks[number].hasKnownTimes
                && run(number * size..<(number + 1) * size).contains { $0.pts == IndexedPacket.unknown }
        } || rest.contains { $0.pts == IndexedPacket.unknown }
    }

    /// The numbers of keyframes.
    var keyPlaces: [Int] {
        var result: [Int] = []
        columns.withUnsafeBytes { bytes in
            for (number, block) in blocks.enumerated() {
                let (width, base) = (Int(block.widths[Field.flags]), block.bases[Field.flags])
                let column = block.offset(of: Field.flags)
                for row in 0..<PacketList.blockSize {
                    let word = bytes.loadUnaligned(fromByteOffset: column + row * width, as: UInt64.self)
                    // Only the lowest bit counts, so the bits above do no harm.
                    let flags = width == 0 ? base : base &+ Int64(truncatingIfNeeded: UInt64(littleEndian: word))
                    if flags & 1 != 0 { result.append(number * PacketList.blockSize + row) }
                }
            }
        }
        let first = blocks.count * PacketList.blockSize
        return result + rest.indices.filter { rest[$0].isKey }.map { first + $0 }
    }

    /// Returns the first time, the step, and the epoch of a block with evenly spaced times in one epoch; nil if `place`
    /// does not start such a block.
    func evenBlock(at place: Int) -> (start: Int64, step: Int64, epoch: Int32)? {
        let number = place / PacketList.blockSize
        guard place % PacketList.blockSize == 0, number < blocks.count else { return nil }
        let block = blocks[number]
        guard block.widths[Field.decodeTime] == 0, block.widths[Field.lateness] == 0, block.widths[Field.flags] == 0,
            block.hasKnownTimes
        else { return nil }
        let packet = IndexedPacket(fields: block.bases, dts: block.bases[Field.decodeTime])
        return (packet.pts, block.step, packet.epoch)
    }
}

extension PacketList.Block {
    /// The offset of a field's column in the bytes.
    fileprivate func offset(of field: Int) -> Int {
        offset + (0..<field).reduce(0) { $0 + Int(widths[$1]) } * PacketList.blockSize
    }

    /// True if no time can be ``IndexedPacket/unknown``, by their magnitude.
    fileprivate var hasKnownTimes: Bool {
        let fields = [PacketList.Field.decodeTime, PacketList.Field.lateness]
        return step.magnitude < 1 << 50 && fields.allSatisfy { widths[$0] <= 6 && bases[$0].magnitude < 1 << 58 }
    }
}
