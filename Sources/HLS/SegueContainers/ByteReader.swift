/// Reads big-endian numbers from a part of some bytes; past the end there is nothing, never a trap.
package struct ByteReader: Sendable {
    @usableFromInline let bytes: ArraySlice<UInt8>
    @usableFromInline var place: Int

    /// A reader of some bytes.
    @inlinable package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// Where the next byte is.
    @inlinable package var position: Int { place }

    /// How many bytes are left.
    @inlinable package var count: Int { bytes.endIndex - place }

    /// The next `size` bytes, at most 8, as a number.
    @inlinable package mutating func unsigned(_ size: Int) -> UInt64? {
        guard size <= 8, count >= size else { return nil }
        var value: UInt64 = 0
        for index in place..<place + size { value = value << 8 | UInt64(bytes[index]) }
        place += size
        return value
    }

    /// The next `size` bytes, at most 7, as an integer.
    @inlinable package mutating func integer(_ size: Int) -> Int? {
        guard size <= 7 else { return nil }
        return unsigned(size).map(Int.init)
    }

    /// The next byte.
    @inlinable package mutating func byte() -> Int? { integer(1) }

    /// The next 4 bytes as an integer with a sign.
    @inlinable package mutating func signed32() -> Int? { unsigned(4).map { Int(Int32(truncatingIfNeeded: $0)) } }

    /// The next `size` bytes.
    @inlinable package mutating func slice(_ size: Int) -> ArraySlice<UInt8>? {
        guard size >= 0, count >= size else { return nil }
        defer { place += size }
        return bytes[place..<place + size]
    }

    /// All that is left.
    @inlinable package mutating func rest() -> ArraySlice<UInt8> {
        defer { place = bytes.endIndex }
        return bytes[place...]
    }

    /// Leaves out bytes; false when there are fewer.
    @inlinable @discardableResult
    package mutating func skip(_ size: Int) -> Bool {
        guard size >= 0, count >= size else { return false }
        place += size
        return true
    }

    /// The next 4 bytes as a four-character code.
    @inlinable package mutating func code() -> FourCC? { unsigned(4).map { FourCC(UInt32(truncatingIfNeeded: $0)) } }
}
