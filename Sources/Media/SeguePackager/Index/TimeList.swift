/// A compact list of times: nearly free if evenly spaced, a byte or two each otherwise.
///
/// In a block, each time is an offset from a straight line with the minimum number of bytes.
struct TimeList: RandomAccessCollection, Sendable, Equatable, ExpressibleByArrayLiteral {
    /// The number of times per block.
    private static let blockSize = 64
    /// The padding behind the columns that permits whole-word reads.
    private static let padding = 8

    private struct Block: Sendable, Equatable {
        /// The line's start.
        var base: Int64
        /// The line's step.
        var step: Int64
        /// The position of the offsets, and the bytes per offset.
        var offset: Int
        var width: Int
    }

    private var blocks: [Block] = []
    private var distances = [UInt8](repeating: 0, count: padding)
    private var rest: [Int64] = []

    init(_ times: some Sequence<Int64>) {
        for time in times { append(time) }
    }

    init(arrayLiteral elements: Int64...) { self.init(elements) }

    var startIndex: Int { 0 }
    var endIndex: Int { blocks.count * TimeList.blockSize + rest.count }

    subscript(place: Int) -> Int64 {
        let number = place / TimeList.blockSize
        guard number < blocks.count else { return rest[place - blocks.count * TimeList.blockSize] }
        let block = blocks[number]
        let row = place % TimeList.blockSize
        let point = block.base &+ Int64(row) &* block.step
        guard block.width > 0 else { return point }
        let word = distances.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: block.offset + row * block.width, as: UInt64.self))
        }
        return point &+ Int64(bitPattern: word & (UInt64.max >> UInt64(64 - 8 * block.width)))
    }

    mutating func append(_ time: Int64) {
        rest.append(time)
        if rest.count == TimeList.blockSize { pack() }
    }

    /// Appends `count` evenly spaced times.
    mutating func append(from start: Int64, step: Int64, count: Int) {
        var row = 0
        while row < count {
            let time = start + Int64(row) * step
            if rest.isEmpty, count - row >= TimeList.blockSize {
                blocks.append(Block(base: time, step: step, offset: distances.count - TimeList.padding, width: 0))
                row += TimeList.blockSize
            } else {
                append(time)
                row += 1
            }
        }
    }

    private mutating func pack() {
        let step = (rest[rest.count - 1] &- rest[0]) / Int64(rest.count - 1)
        var (base, greatest) = (rest[0], rest[0])
        rest.withUnsafeMutableBufferPointer { rest in
            for place in 0..<TimeList.blockSize {
                rest[place] &-= Int64(place) &* step
                base = Swift.min(base, rest[place])
                greatest = Swift.max(greatest, rest[place])
            }
        }
        let most = UInt64(bitPattern: greatest &- base)
        let width = (64 - most.leadingZeroBitCount + 7) / 8
        let offset = distances.count - TimeList.padding
        blocks.append(Block(base: base, step: step, offset: offset, width: width))
        if width > 0 {
            distances.append(contentsOf: repeatElement(0, count: width * TimeList.blockSize))
            distances.withUnsafeMutableBytes { bytes in
                // Whole words are written; the next value overwrites the unused upper bytes.
                for (row, value) in rest.enumerated() {
                    let distance = UInt64(bitPattern: value &- base).littleEndian
                    bytes.storeBytes(of: distance, toByteOffset: offset + row * width, as: UInt64.self)
                }
            }
        }
        rest.removeAll(keepingCapacity: true)
    }
}
