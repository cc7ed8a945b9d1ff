import SeguePackager

/// Where the pieces of a rendition lie when all of them are one resource: the init segment, if any, then the segments.
struct WholeLayout: Sendable, Equatable {
    /// The numbers of the segments, in order.
    let numbers: [Int]
    /// The bytes of the init segment; 0 where there is none.
    let initSize: Int64
    /// The bytes of each segment.
    let sizes: [Int64]

    /// The bytes of the init segment; nil where there is none.
    var initRange: Range<Int64>? { initSize > 0 ? 0..<initSize : nil }

    /// The bytes of each segment.
    var ranges: [Range<Int64>] {
        var end = initSize
        return sizes.map { size in
            defer { end += size }
            return end..<end + size
        }
    }

    /// The bytes that stand for it in a store, eight for each number.
    var encoded: [UInt8] {
        ([initSize] + zip(numbers, sizes).flatMap { [Int64($0), $1] }).flatMap { number in
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }

    /// A layout of sizes that were found.
    init(numbers: [Int], initSize: Int64, sizes: [Int64]) {
        (self.numbers, self.initSize, self.sizes) = (numbers, initSize, sizes)
    }

    /// The layout that bytes stand for.
    init(encoded bytes: [UInt8]) {
        let words = stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { start in
            bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        initSize = words.first ?? 0
        numbers = stride(from: 1, to: words.count, by: 2).map { Int(words[$0]) }
        sizes = stride(from: 2, to: words.count, by: 2).map { words[$0] }
    }
}
