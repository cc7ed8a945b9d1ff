/// What is known of whole blocks without looking at each packet.
extension PacketList {
    /// True if some packet has no presentation time.
    var lacksPresentationTimes: Bool {
        let size = PacketList.blockSize
        return blocks.indices.contains { number in
            !blocks[number].hasKnownTimes
                && run(number * size..<(number + 1) * size).contains { $0.pts == IndexedPacket.unknown }
        } || rest.contains { $0.pts == IndexedPacket.unknown }
    }

    /// The numbers of the packets where decoding can begin.
    var keyPlaces: [Int] {
        var result: [Int] = []
        columns.withUnsafeBytes { bytes in
            for (number, block) in blocks.enumerated() {
                let (width, base) = (Int(block.widths[Field.flags]), block.bases[Field.flags])
                let column = block.offset(of: Field.flags)
                for row in 0..<PacketList.blockSize {
                    let word = bytes.loadUnaligned(fromByteOffset: column + row * width, as: UInt64.self)
                    // The lowest bit alone counts, so that what stands above the number does no harm.
                    let flags = width == 0 ? base : base &+ Int64(truncatingIfNeeded: UInt64(littleEndian: word))
                    if flags & 1 != 0 { result.append(number * PacketList.blockSize + row) }
                }
            }
        }
        let first = blocks.count * PacketList.blockSize
        return result + rest.indices.filter { rest[$0].isKey }.map { first + $0 }
    }

    /// The packets of a block whose times follow each other in even steps, all in the same epoch.
    ///
    /// - Parameter place: The number of the block's first packet.
    /// - Returns: When the first is shown, how much later each is than the one before, and the epoch; nil where no
    ///   block begins, or its packets are not so.
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
    /// Where a field's column begins among the bytes.
    fileprivate func offset(of field: Int) -> Int {
        offset + (0..<field).reduce(0) { $0 + Int(widths[$1]) } * PacketList.blockSize
    }

    /// True if no time in it can be ``IndexedPacket/unknown``, all being far too small.
    fileprivate var hasKnownTimes: Bool {
        let fields = [PacketList.Field.decodeTime, PacketList.Field.lateness]
        return step.magnitude < 1 << 50 && fields.allSatisfy { widths[$0] <= 6 && bases[$0].magnitude < 1 << 58 }
    }
}
