/// The units that H.264 and HEVC are made of, in both ways of writing them down.
enum NALUnits {
    /// Which codec.
    enum Codec: Sendable { case h264, hevc }

    /// The places of the units in bytes with start codes (ITU-T H.264, Annex B).
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

    /// The places of the units in bytes where each has its length in front.
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

    /// Bytes with start codes, as bytes with four-byte lengths.
    static func lengthsFromAnnexB(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 16)
        for unit in inAnnexB(bytes) {
            output.appendBigEndian(UInt32(unit.count))
            output.append(contentsOf: bytes[unit])
        }
        return output
    }
}

/// What the out-of-band configuration of a stream of pictures says.
struct PictureConfiguration: Sendable {
    /// Which codec.
    let codec: NALUnits.Codec
    /// How many bytes each unit's length takes; nil where units have start codes.
    let lengthSize: Int?
    /// The parameter sets, without start codes or lengths.
    let parameterSets: [[UInt8]]
    /// The codec for CODECS, after RFC 6381; nil where no parameter set says it.
    let codecString: String?

    init(codec: NALUnits.Codec, extradata: [UInt8]) {
        self.codec = codec
        switch codec {
        case .h264:
            let boxed = extradata.count >= 7 && extradata[0] == 1
            lengthSize = boxed ? Int(extradata[4] & 3) + 1 : nil
            parameterSets = boxed ? PictureConfiguration.avcSets(extradata) : PictureConfiguration.plainSets(extradata)
            let sps = parameterSets.first { $0.count >= 4 && $0[0] & 31 == 7 }
            codecString = sps.map { "avc1." + $0[1..<4].map(PictureConfiguration.hex).joined() }
        case .hevc:
            let boxed = extradata.count >= 23 && !(extradata[0] == 0 && extradata[1] == 0 && extradata[2] <= 1)
            lengthSize = boxed ? Int(extradata[21] & 3) + 1 : nil
            parameterSets = boxed ? [] : PictureConfiguration.plainSets(extradata)
            let sps = parameterSets.first { $0.count > 15 && $0[0] >> 1 & 63 == 33 }
            let profile = boxed ? Array(extradata[1..<13]) : sps.map { PictureConfiguration.profile(inSPS: $0) }
            codecString = profile.flatMap { PictureConfiguration.hevcString($0) }
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }

    private static func avcSets(_ box: [UInt8]) -> [[UInt8]] {
        var sets: [[UInt8]] = []
        var place = 5
        for mask in [UInt8(31), 255] {
            guard place < box.count else { return sets }
            let count = Int(box[place] & mask)
            place += 1
            for _ in 0..<count {
                guard place + 2 <= box.count else { return sets }
                let length = Int(box[place]) << 8 | Int(box[place + 1])
                place += 2
                guard length > 0, place + length <= box.count else { return sets }
                sets.append(Array(box[place..<place + length]))
                place += length
            }
        }
        return sets
    }

    private static func plainSets(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.withUnsafeBytes { buffer in NALUnits.inAnnexB(buffer).map { [UInt8](buffer[$0]) } }
    }

    /// The twelve bytes of profile, tier and level in an HEVC sequence parameter set.
    private static func profile(inSPS sps: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        var zeros = 0
        for byte in sps {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            plain.append(byte)
        }
        return plain.count >= 15 ? Array(plain[3..<15]) : []
    }

    /// ISO/IEC 14496-15, annex E: profile space and number, compatibility flags reversed, tier and level, constraints.
    private static func hevcString(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 12 else { return nil }
        let space = ["", "A", "B", "C"][Int(bytes[0] >> 6)]
        let tier = bytes[0] >> 5 & 1 == 1 ? "H" : "L"
        var flags: UInt32 = 0
        for bit in 0..<32 where bytes[1 + bit / 8] >> (7 - UInt8(bit % 8)) & 1 == 1 { flags |= 1 << UInt32(bit) }
        var constraints = Array(bytes[5..<11])
        while constraints.last == 0 { constraints.removeLast() }
        let parts =
            ["hvc1", "\(space)\(bytes[0] & 31)", String(flags, radix: 16, uppercase: true), "\(tier)\(bytes[11])"]
            + constraints.map { String($0, radix: 16, uppercase: true) }
        return parts.joined(separator: ".")
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
