/// The packets of one stream, packed: some ten bytes each, and any of them found at once.
///
/// They are kept in blocks. Within a block each field is a column of numbers above a common base, every one in as few
/// bytes as the widest needs, so that what is the same throughout a block takes nothing.
struct PacketList: RandomAccessCollection, Sendable, ExpressibleByArrayLiteral {
    /// The number of packets a block has.
    static let blockSize = 128

    /// A block's columns: where they begin, what is added to each field, and how many bytes each takes.
    struct Block: Sendable {
        /// Where the first column begins among the bytes.
        var offset: Int
        /// What the fields count from.
        var bases: SIMD8<Int64>
        /// By how much the decode time is expected to grow with each packet.
        var step: Int64
        /// The bytes of each field, from 0 to 8.
        var widths: SIMD8<UInt8>
    }

    /// Which column is which.
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

    /// What a column can be read past its end by, as whole words are read.
    static let padding = 8

    /// The blocks that are full.
    private(set) var blocks: [Block] = []
    /// Their columns, and ``padding`` behind them.
    private(set) var columns = [UInt8](repeating: 0, count: padding)
    /// The packets after the last full block.
    private(set) var rest: [IndexedPacket] = []

    /// The list of some packets.
    init(_ packets: some Sequence<IndexedPacket>) {
        for packet in packets { append(packet) }
    }

    init(arrayLiteral elements: IndexedPacket...) { self.init(elements) }

    /// The list that has these blocks.
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

    /// The bytes of a packet, found without its other fields.
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

    /// Adds a packet at the end.
    mutating func append(_ packet: IndexedPacket) {
        rest.append(packet)
        if rest.count == PacketList.blockSize { pack() }
    }

    private mutating func pack() {
        let step = PacketList.step(from: rest[0].dts, to: rest[rest.count - 1].dts)
        // Field by field, 128 numbers each.
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: 8 * PacketList.blockSize) { numbers in
            for (row, packet) in rest.enumerated() {
                packet.put(into: numbers, row: row, dts: packet.dts &- Int64(row) &* step)
            }
            pack(UnsafeBufferPointer(numbers), step: step, even: Even(repeating: false))
        }
        rest.removeAll(keepingCapacity: true)
    }

    /// Which fields of a block are the same throughout.
    typealias Even = SIMDMask<SIMD8<Int8>>

    /// Adds a block; all packets before are in full blocks.
    ///
    /// - Parameters:
    ///   - numbers: Field by field, 128 numbers each.
    ///   - step: By how much the decode time is expected to grow with each packet; its column has the rest.
    ///   - even: Fields that are the same throughout, of which the first number alone is looked at.
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
                // Each is written as a whole word, whose upper bytes are nothing, and the next over these.
                for number in numbers[field * PacketList.blockSize..<(field + 1) * PacketList.blockSize] {
                    let value = UInt64(bitPattern: number &- base).littleEndian
                    bytes.storeBytes(of: value, toByteOffset: place, as: UInt64.self)
                    place += width
                }
            }
        }
        blocks.append(block)
    }

    /// By how much the decode time is expected to grow with each packet of a block.
    static func step(from first: Int64, to last: Int64) -> Int64 {
        guard first != IndexedPacket.unknown, last != IndexedPacket.unknown else { return 0 }
        return (last &- first) / Int64(blockSize - 1)
    }
}

extension IndexedPacket {
    /// Writes what is packed, in the order of the columns.
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

    /// The packet of which this was packed.
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
