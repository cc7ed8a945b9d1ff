/// The location of the entries of a sample table in its box (ISO/IEC 14496-12, 8.6 and 8.7).
///
/// Only the start of the body is needed, so that the table itself need not be in memory.
package struct BoxTable: Sendable, Equatable {
    /// The maximum size of the header in bytes.
    package static let headLength = 12

    /// The offset of the entry count in the body.
    package let countPlace: Int

    /// The size of an entry: 32-bit numbers, except for `co64` with 64 bits.
    package let entrySize: Int

    /// The stated number of entries.
    package let count: Int

    /// The common sample size in `stsz`; zero if each sample has an entry, and in other tables.
    package let fixedSize: Int

    /// Parses the header of a table; nil if it is truncated or the type is not `stts`, `ctts`, `stsc`, `stsz`, `stco`,
    /// `co64`, or `stss`.
    ///
    /// - Parameters:
    ///   - type: The type of the table.
    ///   - body: At least the first ``headLength`` bytes of the body, if it has as many.
    package init?(_ type: FourCC, _ body: ArraySlice<UInt8>) {
        switch type {
        case "stsz", "stco", "stss": entrySize = 4
        case "stts", "ctts", "co64": entrySize = 8
        case "stsc": entrySize = 12
        default: return nil
        }
        var reader = ByteReader(body)
        guard reader.skip(4), let first = reader.integer(4) else { return nil }
        guard type == "stsz" else {
            (countPlace, count, fixedSize) = (4, first, 0)
            return
        }
        guard let count = reader.integer(4) else { return nil }
        (countPlace, self.count, fixedSize) = (8, count, first)
    }

    /// The offset of the first entry in the body.
    package var start: Int { countPlace + 4 }

    /// Returns the number of complete entries in a body of a size, at most the stated number.
    package func entries(inBody size: Int64) -> Int {
        max(0, min(count, Int(clamping: (size - Int64(start)) / Int64(entrySize))))
    }
}
