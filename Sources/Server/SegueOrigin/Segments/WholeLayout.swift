import SeguePackager

/// The byte ranges of a rendition in one resource: the init segment, if any, and the segments.
struct WholeLayout: Sendable, Equatable {
    /// The numbers of the segments in order.
    let numbers: [Int]
    /// The size of the init segment; 0 without one.
    let initSize: Int64
    /// The sizes of the segments.
    let sizes: [Int64]

    /// The range of the init segment, or nil without one.
    var initRange: Range<Int64>? { initSize > 0 ? 0..<initSize : nil }

    /// The ranges of the segments.
    var ranges: [Range<Int64>] {
        var end = initSize
        return sizes.map { size in
            defer { end += size }
            return end..<end + size
        }
    }

    /// The encoded layout, eight bytes for each number.
    var encoded: [UInt8] {
        ([initSize] + zip(numbers, sizes).flatMap { [Int64($0), $1] }).flatMap { number in
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
    }

    init(numbers: [Int], initSize: Int64, sizes: [Int64]) {
        (self.numbers, self.initSize, self.sizes) = (numbers, initSize, sizes)
    }

    /// Decodes a layout.
    init(encoded bytes: [UInt8]) {
        let words = stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { start in
            bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        }
        initSize = words.first ?? 0
        numbers = stride(from: 1, to: words.count, by: 2).map { Int(words[$0]) }
        sizes = stride(from: 2, to: words.count, by: 2).map { words[$0] }
    }
}
