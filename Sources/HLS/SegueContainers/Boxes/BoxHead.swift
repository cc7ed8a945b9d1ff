/// The head of a box: its type, and how far it reaches (ISO/IEC 14496-12, 4.2).
package struct BoxHead: Sendable, Equatable {
    /// How many bytes tell whether the head is longer.
    package static let shortLength = 8

    /// The most bytes that a head has.
    package static let longLength = 16

    /// What the box is.
    package let type: FourCC

    /// How many bytes the head has: 8, or 16 where the size takes 64 bits.
    package let length: Int

    /// Where no box ends, whatever it says; so far from the last number that sums fit.
    package static let farthest = Int64(1) << 60

    /// How many bytes head and body claim to have, at least the head's, at most ``farthest``; nil for a box that reaches
    /// to the end of what it is in.
    package let size: Int64?

    /// Reads the head with which some bytes begin; nil where less than a head is there, or the size is less than the
    /// head's own.
    @inlinable package init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard let short = reader.integer(4), let type = reader.code() else { return nil }
        self.type = type
        switch short {
        case 0: (length, size) = (Self.shortLength, nil)
        case 1:
            guard let long = reader.unsigned(8), long >= 16 else { return nil }
            (length, size) = (Self.longLength, Int64(min(long, UInt64(Self.farthest))))
        case 2..<8: return nil
        default: (length, size) = (Self.shortLength, Int64(short))
        }
    }

    /// Whether the head that begins with these 8 bytes has 8 more.
    package static func isLong(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(bytes)
        return reader.integer(4) == 1
    }
}
