/// Reads big-endian numbers from a slice; returns nil past the end.
package struct ByteReader: Sendable {
    @usableFromInline let bytes: ArraySlice<UInt8>
    @usableFromInline var place: Int

    @inlinable package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// The index of the next byte.
    @inlinable package var position: Int { place }

    /// The number of remaining bytes.
    @inlinable package var count: Int { bytes.endIndex - place }

    /// Reads `size` bytes, at most 8, as a number.
    @inlinable package mutating func unsigned(_ size: Int) -> UInt64? {
        guard size <= 8, count >= size else { return nil }
        var value: UInt64 = 0
        for index in place..<place + size { value = value << 8 | UInt64(bytes[index]) }
        place += size
        return value
    }

    /// Reads `size` bytes, at most 7, as an integer.
    @inlinable package mutating func integer(_ size: Int) -> Int? {
        guard size <= 7 else { return nil }
        return unsigned(size).map(Int.init)
    }

    @inlinable package mutating func byte() -> Int? { integer(1) }

    /// Reads 4 bytes as a signed integer.
    @inlinable package mutating func signed32() -> Int? { unsigned(4).map { Int(Int32(truncatingIfNeeded: $0)) } }

    @inlinable package mutating func slice(_ size: Int) -> ArraySlice<UInt8>? {
        guard size >= 0, count >= size else { return nil }
        defer { place += size }
        return bytes[place..<place + size]
    }

    /// The remaining bytes.
    @inlinable package mutating func rest() -> ArraySlice<UInt8> {
        defer { place = bytes.endIndex }
        return bytes[place...]
    }

    /// Skips bytes; returns false if there are fewer.
    @inlinable @discardableResult
    package mutating func skip(_ size: Int) -> Bool {
        guard size >= 0, count >= size else { return false }
        place += size
        return true
    }

    /// Reads 4 bytes as a four-character code.
    @inlinable package mutating func code() -> FourCC? { unsigned(4).map { FourCC(UInt32(truncatingIfNeeded: $0)) } }
}
