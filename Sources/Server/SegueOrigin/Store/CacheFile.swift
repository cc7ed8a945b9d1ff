/// A file of the disk cache: a name, a checksum, and the bytes.
///
/// Magic (8 bytes), length of the name (4), length of the bytes (8), entity tag (34), name, bytes; numbers are
/// big-endian. Any other or truncated file is ignored.
enum CacheFile {
    private static let magic = Array("segue\u{0}s1".utf8)
    private static let tagLength = 34
    private static let fixed = magic.count + 4 + 8 + tagLength
    /// The suffix of all cache files; no other file is ever touched.
    static let suffix = ".segment"

    /// The file name of an entry.
    static func fileName(_ name: String) -> String { StableHash.hex(Array(name.utf8)) + suffix }

    /// The header before the bytes.
    static func head(of made: SegmentStore.Made, name: String) -> [UInt8] {
        let name = Array(name.utf8)
        var head = magic
        append(UInt64(name.count), bytes: 4, to: &head)
        append(UInt64(made.bytes.count), bytes: 8, to: &head)
        head += Array(made.tag.utf8)
        return head + name
    }

    /// The content of a file, or nil if it is damaged or has another name.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    /// - Returns: The content.
    static func content(of file: [UInt8], name: String) -> SegmentStore.Made? {
        let name = Array(name.utf8)
        let start = fixed + name.count
        guard file.count >= start, file.starts(with: magic) else { return nil }
        guard number(file[magic.count..<magic.count + 4]) == UInt64(name.count) else { return nil }
        guard number(file[magic.count + 4..<magic.count + 12]) == UInt64(file.count - start) else { return nil }
        guard file[fixed..<start].elementsEqual(name) else { return nil }
        let bytes = Array(file[start...])
        let tag = ContentTag.of(bytes)
        guard file[fixed - tagLength..<fixed].elementsEqual(tag.utf8) else { return nil }
        return SegmentStore.Made(bytes: bytes, tag: tag)
    }

    private static func append(_ number: UInt64, bytes count: Int, to output: inout [UInt8]) {
        for place in (0..<count).reversed() { output.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
