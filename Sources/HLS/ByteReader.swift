/// Reads big-endian numbers from a part of some bytes; past the end there is nothing, never a trap.
package struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    /// Where the next byte is.
    package private(set) var position: Int

    /// A reader of some bytes.
    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// How many bytes are left.
    package var count: Int { bytes.endIndex - position }

    /// The next `size` bytes, at most 8, as a number.
    package mutating func unsigned(_ size: Int) -> UInt64? {
        guard size <= 8, count >= size else { return nil }
        var value: UInt64 = 0
        for index in position..<position + size { value = value << 8 | UInt64(bytes[index]) }
        position += size
        return value
    }

    /// The next `size` bytes, at most 7, as an integer.
    package mutating func integer(_ size: Int) -> Int? {
        guard size <= 7 else { return nil }
        return unsigned(size).map(Int.init)
    }

    /// The next byte.
    package mutating func byte() -> Int? { integer(1) }

    /// The next 4 bytes as an integer with a sign.
    package mutating func signed32() -> Int? { unsigned(4).map { Int(Int32(truncatingIfNeeded: $0)) } }

    /// The next `size` bytes.
    package mutating func slice(_ size: Int) -> ArraySlice<UInt8>? {
        guard size >= 0, count >= size else { return nil }
        defer { position += size }
        return bytes[position..<position + size]
    }

    /// All that is left.
    package mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
    }

    /// Leaves out bytes; false when there are fewer.
    @discardableResult
    package mutating func skip(_ size: Int) -> Bool {
        guard size >= 0, count >= size else { return false }
        position += size
        return true
    }

    /// The next 4 bytes as a four-character code; bytes that are no printable ASCII show as dots.
    package mutating func code() -> String? {
        slice(4).map { String(decoding: $0.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self) }
    }
}
