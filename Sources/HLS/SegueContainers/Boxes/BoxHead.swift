/// The header of a box: its type and size (ISO/IEC 14496-12, 4.2).
package struct BoxHead: Sendable, Equatable {
    /// The size of a short header in bytes.
    package static let shortLength = 8

    /// The size of a long header in bytes.
    package static let longLength = 16

    /// The box type.
    package let type: FourCC

    /// The size of the header: 8 bytes, or 16 with a 64-bit size.
    package let length: Int

    /// The limit of offsets, low enough that sums do not overflow.
    package static let farthest = Int64(1) << 60

    /// The stated size of header and body, at most ``farthest``; nil for a box that extends to the end of its
    /// container.
    package let size: Int64?

    /// Parses the header at the start of some bytes; nil if it is truncated or the size is too small.
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

    /// Returns true if the header that starts with these 8 bytes has 8 more.
    package static func isLong(_ bytes: ArraySlice<UInt8>) -> Bool {
        var reader = ByteReader(bytes)
        return reader.integer(4) == 1
    }
}
