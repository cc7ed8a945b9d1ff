/// Where the entries of a sample table stand in its box (ISO/IEC 14496-12, 8.6 and 8.7).
///
/// Read from the first bytes of the body, so that a table can be looked up that is not in memory.
package struct BoxTable: Sendable, Equatable {
    /// How many bytes of the body are looked at, at the most.
    package static let headLength = 12

    /// Where in the body the number of entries stands.
    package let countPlace: Int

    /// How many bytes an entry has: numbers of 32 bits, but for `co64`, which has one of 64.
    package let entrySize: Int

    /// How many entries the table claims to have.
    package let count: Int

    /// The size that all samples have, in `stsz`; zero where each has an entry, and in other tables.
    package let fixedSize: Int

    /// Reads the head of a table; nil where it is too short, or none of `stts`, `ctts`, `stsc`, `stsz`, `stco`, `co64`
    /// and `stss`.
    ///
    /// - Parameters:
    ///   - type: Which table.
    ///   - body: At least the first ``headLength`` bytes of its body, where it has as many.
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

    /// Where in the body the first entry stands.
    package var start: Int { countPlace + 4 }

    /// How many entries are there whole in a body of so many bytes, at the most as many as it claims.
    package func entries(inBody size: Int64) -> Int {
        max(0, min(count, Int(clamping: (size - Int64(start)) / Int64(entrySize))))
    }
}
