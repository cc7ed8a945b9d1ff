/// A compact random-access list of packets, about ten bytes each.
///
/// In a block of packets, each field is a column of offsets from a base with the minimum number of bytes, so constant
/// fields take no space.
struct PacketList: RandomAccessCollection, Sendable, ExpressibleByArrayLiteral {
    /// The number of packets per block.
    static let blockSize = 128

    /// A block's column layout.
    struct Block: Sendable {
        /// The offset of the first column in the bytes.
        var offset: Int
        /// The base of each field.
        var bases: SIMD8<Int64>
        /// The expected decode time step between packets.
        var step: Int64
        /// The bytes per value of each field, from 0 to 8.
        var widths: SIMD8<UInt8>
    }

    enum Field {
        static let decodeTime = 0
        static let lateness = 1
        static let rawLateness = 2
        static let duration = 3
        static let position = 4
        static let size = 5
        static let fingerprint = 6
        static let flags = 7
    }

    /// The padding behind the columns that permits whole-word reads.
    static let padding = 8

    /// The full blocks.
    private(set) var blocks: [Block] = []
    /// The columns of full blocks, followed by ``padding``.
    private(set) var columns = [UInt8](repeating: 0, count: padding)
    /// The packets after the last full block.
    private(set) var rest: [IndexedPacket] = []

    init(_ packets: some Sequence<IndexedPacket>) {
        for packet in packets { append(packet) }
    }

    init(arrayLiteral elements: IndexedPacket...) { self.init(elements) }

    init(blocks: [Block], columns: [UInt8], rest: [IndexedPacket]) {
        self.blocks = blocks
        self.columns = columns
        self.rest = rest
    }

    var startIndex: Int { 0 }
    var endIndex: Int { blocks.count * PacketList.blockSize + rest.count }

    subscript(place: Int) -> IndexedPacket {
        let number = place / PacketList.blockSize
        guard number < blocks.count else { return rest[place - blocks.count * PacketList.blockSize] }
        let block = blocks[number]
        let row = place % PacketList.blockSize
        var fields = block.bases
        columns.withUnsafeBytes { bytes in
            var column = block.offset
            for field in 0..<8 {
                let width = Int(block.widths[field])
                guard width > 0 else { continue }
                let word = UInt64(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: column + row * width, as: UInt64.self)
                )
                fields[field] &+= Int64(bitPattern: word & (UInt64.max >> UInt64(64 - 8 * width)))
                column += width * PacketList.blockSize
            }
        }
        return IndexedPacket(fields: fields, dts: fields[0] &+ Int64(row) &* block.step)
    }

    /// A packet's size, read without its other fields.
    func size(at place: Int) -> Int {
        let number = place / PacketList.blockSize
        guard number < blocks.count else { return Int(rest[place - blocks.count * PacketList.blockSize].size) }
        let (offset, base, widths) = (blocks[number].offset, blocks[number].bases[5], blocks[number].widths)
        let width = Int(widths[5])
        guard width > 0 else { return Int(Int32(truncatingIfNeeded: base)) }
        let before = (0..<5).reduce(0) { $0 + Int(widths[$1]) }
        let start = offset + before * PacketList.blockSize + place % PacketList.blockSize * width
        let word = columns.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        let size = base &+ Int64(bitPattern: word & (UInt64.max >> UInt64(64 - 8 * width)))
        return Int(Int32(truncatingIfNeeded: size))
    }

    mutating func append(_ packet: IndexedPacket) {
        rest.append(packet)
        if rest.count == PacketList.blockSize { pack() }
    }

    private mutating func pack() {
        let step = PacketList.step(from: rest[0].dts, to: rest[rest.count - 1].dts)
        // 128 numbers per field.
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: 8 * PacketList.blockSize) { numbers in
            for (row, packet) in rest.enumerated() {
                packet.put(into: numbers, row: row, dts: packet.dts &- Int64(row) &* step)
            }
            pack(UnsafeBufferPointer(numbers), step: step, even: Even(repeating: false))
        }
        rest.removeAll(keepingCapacity: true)
    }

    /// The constant fields of a block.
    typealias Even = SIMDMask<SIMD8<Int8>>

    /// Appends a block of 128 numbers per field; `even` marks constant fields, of which only the first number is read.
    ///
    /// All preceding packets must be in full blocks.
    mutating func pack(_ numbers: UnsafeBufferPointer<Int64>, step: Int64, even: Even) {
        var block = Block(offset: columns.count - PacketList.padding, bases: .zero, step: step, widths: .zero)
        var size = 0
        for field in 0..<8 {
            let column = field * PacketList.blockSize..<(field + 1) * PacketList.blockSize
            var (least, greatest) = (numbers[column.lowerBound], numbers[column.lowerBound])
            if !even[field] {
                for place in column {
                    least = Swift.min(least, numbers[place])
                    greatest = Swift.max(greatest, numbers[place])
                }
            }
            let most = UInt64(bitPattern: greatest &- least)
            block.bases[field] = least
            block.widths[field] = UInt8((64 - most.leadingZeroBitCount + 7) / 8)
            size += Int(block.widths[field]) * PacketList.blockSize
        }
        columns.append(contentsOf: repeatElement(0, count: size))
        columns.withUnsafeMutableBytes { bytes in
            var place = block.offset
            for field in 0..<8 where block.widths[field] > 0 {
                let (base, width) = (block.bases[field], Int(block.widths[field]))
                // Whole words are written; the next value overwrites the unused upper bytes.
                for number in numbers[field * PacketList.blockSize..<(field + 1) * PacketList.blockSize] {
                    let value = UInt64(bitPattern: number &- base).littleEndian
                    bytes.storeBytes(of: value, toByteOffset: place, as: UInt64.self)
                    place += width
                }
            }
        }
        blocks.append(block)
    }

    /// The expected decode time step in a block.
    static func step(from first: Int64, to last: Int64) -> Int64 {
        guard first != IndexedPacket.unknown, last != IndexedPacket.unknown else { return 0 }
        return (last &- first) / Int64(blockSize - 1)
    }
}

extension IndexedPacket {
    /// Writes the packed fields in column order.
    fileprivate func put(into numbers: UnsafeMutableBufferPointer<Int64>, row: Int, dts base: Int64) {
        let flags: Int64 = (isKey ? 1 : 0) | (isDiscarded ? 2 : 0) | (isHidden ? 4 : 0)
        let size = PacketList.blockSize
        numbers[row] = base
        numbers[size + row] = pts &- dts
        numbers[2 * size + row] = rawPTS &- pts
        numbers[3 * size + row] = duration
        numbers[4 * size + row] = position
        numbers[5 * size + row] = Int64(self.size)
        numbers[6 * size + row] = Int64(fingerprint)
        numbers[7 * size + row] = Int64(epoch) << 19 | Int64(lead) << 3 | flags
    }

    /// Unpacks a packet.
    init(fields: SIMD8<Int64>, dts: Int64) {
        self.dts = dts
        pts = fields[1] &+ dts
        rawPTS = fields[2] &+ pts
        duration = fields[3]
        position = fields[4]
        size = Int32(truncatingIfNeeded: fields[5])
        fingerprint = UInt32(truncatingIfNeeded: fields[6])
        isKey = fields[7] & 1 != 0
        isDiscarded = fields[7] & 2 != 0
        isHidden = fields[7] & 4 != 0
        lead = UInt16(truncatingIfNeeded: fields[7] >> 3)
        epoch = Int32(truncatingIfNeeded: fields[7] >> 19)
    }
}
