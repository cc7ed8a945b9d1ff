/// The NAL units of H.264 and HEVC, in both framings.
enum NALUnits {
    enum Codec: Sendable { case h264, hevc }

    /// The unit ranges in start-code framing (ITU-T H.264, Annex B).
    static func inAnnexB(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var starts: [(code: Int, unit: Int)] = []
        let count = bytes.count
        var place = 0
        while place + 2 < count {
            let third = bytes[place + 2]
            if third > 1 {
                place += 3
            } else if third == 1 {
                if bytes[place] == 0, bytes[place + 1] == 0 { starts.append((place, place + 3)) }
                place += 3
            } else {
                place += 1
            }
        }
        return starts.indices.compactMap { number in
            var end = number + 1 < starts.count ? starts[number + 1].code : count
            while end > starts[number].unit, bytes[end - 1] == 0 { end -= 1 }
            return end > starts[number].unit ? starts[number].unit..<end : nil
        }
    }

    /// The unit ranges in length-prefixed framing.
    static func withLengths(_ bytes: UnsafeRawBufferPointer, lengthSize: Int) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var place = 0
        while place + lengthSize <= bytes.count {
            let length = (0..<lengthSize).reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
            place += lengthSize
            let end = min(bytes.count, place + length)
            if end > place { result.append(place..<end) }
            place = end
        }
        return result
    }

    /// A packet's units with four-byte lengths, behind some others.
    static func withLongLengths(
        _ bytes: UnsafeRawBufferPointer,
        units: [Range<Int>],
        after sets: [[UInt8]] = []
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 16 + sets.reduce(0) { $0 + $1.count + 4 })
        for set in sets {
            output.appendBigEndian(UInt32(set.count))
            output.append(contentsOf: set)
        }
        for unit in units {
            output.appendBigEndian(UInt32(unit.count))
            output.append(contentsOf: bytes[unit])
        }
        return output
    }

    /// A placeholder for a frame without valid units, because a sample must not be empty: filler data (ITU-T H.264,
    /// 7.3.2.7, and H.265, 7.3.2.8) with a four-byte length.
    static func filler(_ codec: Codec) -> [UInt8] {
        switch codec {
        case .h264: [0, 0, 0, 3, 12, 0xff, 0x80]
        case .hevc: [0, 0, 0, 4, 38 << 1, 1, 0xff, 0x80]
        }
    }

    /// A unit without emulation prevention bytes (ITU-T H.264, 7.4.1).
    static func unescaped(_ unit: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }

    /// True if a unit's first byte marks a parameter set.
    static func isParameterSet(_ first: UInt8, _ codec: Codec) -> Bool {
        switch codec {
        case .h264: [7, 8].contains(first & 31)
        case .hevc: (32...34).contains(first >> 1 & 63)
        }
    }
}

extension Array<UInt8> {
    mutating func appendBigEndian(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    mutating func appendBigEndian(_ value: UInt32) {
        appendBigEndian(UInt16(truncatingIfNeeded: value >> 16))
        appendBigEndian(UInt16(truncatingIfNeeded: value))
    }

    mutating func appendBigEndian(_ value: UInt64) {
        appendBigEndian(UInt32(truncatingIfNeeded: value >> 32))
        appendBigEndian(UInt32(truncatingIfNeeded: value))
    }
}
