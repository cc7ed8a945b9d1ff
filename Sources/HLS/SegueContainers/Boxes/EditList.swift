/// Goes through the entries of `elst` (ISO/IEC 14496-12, 8.6.6).
package struct EditList: Sequence, IteratorProtocol {
    /// A part of the movie.
    package struct Edit: Sendable, Equatable {
        /// How long it is, in units of the movie.
        package let duration: UInt64
        /// Where in the track's media it begins, in the track's units; negative where nothing is shown.
        package let start: Int64
        /// How fast it is shown, in parts of 65,536.
        package let rate: UInt32
    }

    /// How many bytes of the body two entries take, at the most.
    package static let lengthOfTwo = 48

    /// How many entries the list claims to have.
    package let count: Int

    private var reader: ByteReader
    private let size: Int
    private var left: Int

    /// Reads a body; nil where it is too short to say how many entries there are.
    package init?(_ body: ArraySlice<UInt8>) {
        reader = ByteReader(body)
        guard let version = reader.byte(), reader.skip(3), let count = reader.integer(4) else { return nil }
        (self.count, size) = (count, version == 1 ? 8 : 4)
        left = count
    }

    /// The next entry that is there whole.
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
