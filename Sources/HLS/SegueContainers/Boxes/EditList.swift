/// Iterates over the entries of `elst` (ISO/IEC 14496-12, 8.6.6).
package struct EditList: Sequence, IteratorProtocol {
    /// An edit of the movie.
    package struct Edit: Sendable, Equatable {
        /// The duration in movie units.
        package let duration: UInt64
        /// The start in the media in track units; negative for an empty edit.
        package let start: Int64
        /// The rate in units of 1/65,536.
        package let rate: UInt32
    }

    /// The maximum size of two entries in bytes.
    package static let lengthOfTwo = 48

    /// The stated number of entries.
    package let count: Int

    private var reader: ByteReader
    private let size: Int
    private var left: Int

    /// Parses a body; nil if it is truncated.
    package init?(_ body: ArraySlice<UInt8>) {
        reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(3), let count = reader.integer(4) else { return nil }
        (self.count, size) = (count, version == 1 ? 8 : 4)
        left = count
    }

    /// Returns the next complete entry.
    package mutating func next() -> Edit? {
        guard left > 0, reader.count >= 2 * size + 4, let duration = reader.unsigned(size),
            let start = reader.unsigned(size), let rate = reader.unsigned(4)
        else { return nil }
        left -= 1
        return Edit(
            duration: duration,
            start: size == 8 ? Int64(bitPattern: start) : Int64(Int32(truncatingIfNeeded: start)),
            rate: UInt32(truncatingIfNeeded: rate)
        )
    }
}
