/// Assembles the sections of one PID from packets (ISO/IEC 13818-1, 2.4.4).
package struct SectionAssembler {
    private static let greatestSize = 4096
    private var pending: [UInt8] = []
    private var isCollecting = false

    package init() {}

    /// Adds the payload of a packet; returns a section when it is complete.
    package mutating func add(_ payload: ArraySlice<UInt8>, startsUnit: Bool) -> ArraySlice<UInt8>? {
        var payload = payload
        if startsUnit {
            guard let pointer = payload.first, payload.count > Int(pointer) + 1 else { return nil }
            payload = payload.dropFirst(Int(pointer) + 1)
            pending = []
            isCollecting = true
        }
        guard isCollecting else { return nil }
        pending += payload
        guard pending.count >= 3 else { return nil }
        let size = 3 + (Int(pending[1] & 0x0F) << 8 | Int(pending[2]))
        guard pending.count >= size || pending.count > Self.greatestSize else { return nil }
        isCollecting = false
        defer { pending = [] }
        return pending.count >= size ? pending[..<size] : nil
    }
}

/// The program association table (PAT).
package enum ProgramAssociation {
    /// Returns the PMT PIDs of a section, as far as it is complete, without the network PID.
    package static func maps(_ section: ArraySlice<UInt8>) -> [Int] {
        var reader = ByteReader(section)
        guard reader.skip(1), let size = reader.integer(2), reader.skip(5) else { return [] }
        // Its checksum follows the programs.
        return (0..<max(0, ((size & 0xFFF) - 9) / 4)).compactMap { _ in
            guard let program = reader.integer(2), let pid = reader.integer(2), program != 0 else { return nil }
            return pid & 0x1FFF
        }
    }
}

/// The program map table (PMT).
package struct ProgramMap: Sequence, IteratorProtocol {
    /// A stream of the program.
    package struct Stream {
        /// The stream type.
        package let type: Int
        package let pid: Int
        package let descriptors: ArraySlice<UInt8>
    }

    private var reader: ByteReader

    /// Parses a section; nil for other tables.
    package init?(_ section: ArraySlice<UInt8>) {
        reader = ByteReader(section)
        guard reader.byte() == 0x02, reader.skip(9), let length = reader.integer(2), reader.skip(length & 0xFFF)
        else { return nil }
    }

    package mutating func next() -> Stream? {
        guard reader.count >= 9, let type = reader.byte(), let pid = reader.integer(2), let length = reader.integer(2),
            let descriptors = reader.slice(length & 0xFFF)
        else { return nil }
        return Stream(type: type, pid: pid & 0x1FFF, descriptors: descriptors)
    }
}

/// The CRC at the end of a section (ISO/IEC 13818-1, annex A).
package enum SectionChecksum {
    /// Returns true if the CRC of a complete section is correct.
    package static func isRight(_ section: ArraySlice<UInt8>) -> Bool {
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in section {
            checksum ^= UInt32(byte) << 24
            for _ in 0..<8 { checksum = checksum & 0x8000_0000 != 0 ? checksum << 1 ^ 0x04C1_1DB7 : checksum << 1 }
        }
        return checksum == 0
    }
}
