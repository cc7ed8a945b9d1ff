extension PacketList {
    /// A sequential iterator that reads a block's columns at once.
    struct Iterator: IteratorProtocol {
        private let list: PacketList
        private var place: Int
        private let end: Int
        private var held: [IndexedPacket] = []

        fileprivate init(_ list: PacketList, _ range: Range<Int>) {
            self.list = list
            (place, end) = (range.lowerBound, range.upperBound)
        }

        mutating func next() -> IndexedPacket? {
            guard place < end else { return nil }
            let row = place % PacketList.blockSize
            if row == 0 || held.isEmpty { list.unpack(place / PacketList.blockSize, into: &held) }
            place += 1
            return held[row]
        }
    }

    /// The packets of a range in order.
    struct Run: Sequence {
        fileprivate let list: PacketList
        fileprivate let range: Range<Int>

        func makeIterator() -> Iterator { Iterator(list, range) }
    }

    func makeIterator() -> Iterator { Iterator(self, indices) }

    /// The packets of a range, for sequential access.
    func run(_ range: Range<Int>) -> Run { Run(list: self, range: range) }

    private func unpack(_ number: Int, into packets: inout [IndexedPacket]) {
        packets.removeAll(keepingCapacity: true)
        guard number < blocks.count else {
            packets.append(contentsOf: rest)
            return
        }
        let block = blocks[number]
        packets.reserveCapacity(PacketList.blockSize)
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: 8 * PacketList.blockSize) { numbers in
            columns.withUnsafeBytes { bytes in
                var place = block.offset
                for field in 0..<8 {
                    let column = field * PacketList.blockSize..<(field + 1) * PacketList.blockSize
                    let (base, width) = (block.bases[field], Int(block.widths[field]))
                    guard width > 0 else {
                        for row in column { numbers[row] = base }
                        continue
                    }
                    let mask = UInt64.max >> UInt64(64 - 8 * width)
                    for row in column {
                        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                        numbers[row] = base &+ Int64(bitPattern: word & mask)
                        place += width
                    }
                }
            }
            for row in 0..<PacketList.blockSize {
                var fields = SIMD8<Int64>.zero
                for field in 0..<8 { fields[field] = numbers[field * PacketList.blockSize + row] }
                packets.append(IndexedPacket(fields: fields, dts: fields[0] &+ Int64(row) &* block.step))
            }
        }
    }
}
