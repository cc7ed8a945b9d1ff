internal import SegueFFmpeg

/// The parsed out-of-band configuration of a video stream.
struct VideoConfiguration: Sendable {
    let codec: NALUnits.Codec
    /// The size of each unit's length field, in bytes; nil with start codes.
    let lengthSize: Int?
    /// The parameter sets, without framing.
    let parameterSets: [[UInt8]]
    /// The codec string for CODECS (RFC 6381); nil without a parameter set.
    let codecString: String?
    /// True if the parameter sets come from the first frame.
    let isInBand: Bool

    /// Parses a stream's configuration, and its first keyframe if that lacks parameter sets.
    init(_ index: StreamIndex) {
        let codec: NALUnits.Codec = index.info.codec == "hevc" ? .hevc : .h264
        let told = VideoConfiguration(codec: codec, extradata: index.info.extradata)
        guard told.parameterSets.isEmpty else {
            self = told
            return
        }
        let sets = index.firstPacket.withUnsafeBytes { bytes in
            told.units(of: bytes).filter { NALUnits.isParameterSet(bytes[$0.lowerBound], codec) }.map {
                [UInt8](bytes[$0])
            }
        }
        let found = VideoConfiguration(codec: codec, extradata: VideoConfiguration.plain(sets))
        self.init(
            codec: codec,
            lengthSize: told.lengthSize,
            parameterSets: sets,
            codecString: found.codecString ?? told.codecString,
            isInBand: !sets.isEmpty
        )
    }

    private init(
        codec: NALUnits.Codec,
        lengthSize: Int?,
        parameterSets: [[UInt8]],
        codecString: String?,
        isInBand: Bool
    ) {
        self.codec = codec
        self.lengthSize = lengthSize
        self.parameterSets = parameterSets
        self.codecString = codecString
        self.isInBand = isInBand
    }

    /// The unit ranges of a packet.
    func units(of bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        lengthSize.map { NALUnits.withLengths(bytes, lengthSize: $0) } ?? NALUnits.inAnnexB(bytes)
    }

    /// Frames a unit like the stream's own.
    func framed(_ unit: [UInt8]) -> [UInt8] {
        guard let lengthSize else { return [0, 0, 0, 1] + unit }
        return (0..<lengthSize).map { UInt8(truncatingIfNeeded: unit.count >> (8 * (lengthSize - 1 - $0))) } + unit
    }

    /// The parameter sets with start codes, as extradata.
    static func plain(_ sets: [[UInt8]]) -> [UInt8] { sets.flatMap { [0, 0, 0, 1] + $0 } }

    init(codec: NALUnits.Codec, extradata: [UInt8]) {
        self.codec = codec
        isInBand = false
        switch codec {
        case .h264:
            let boxed = extradata.count >= 7 && extradata[0] == 1
            lengthSize = boxed ? Int(extradata[4] & 3) + 1 : nil
            parameterSets = boxed ? VideoConfiguration.avcSets(extradata) : VideoConfiguration.plainSets(extradata)
            let sps = parameterSets.first { $0.count >= 4 && $0[0] & 31 == 7 }
            codecString = sps.map { "avc1." + $0[1..<4].map(VideoConfiguration.hex).joined() }
        case .hevc:
            let boxed = extradata.count >= 23 && !(extradata[0] == 0 && extradata[1] == 0 && extradata[2] <= 1)
            lengthSize = boxed ? Int(extradata[21] & 3) + 1 : nil
            parameterSets = boxed ? VideoConfiguration.hevcSets(extradata) : VideoConfiguration.plainSets(extradata)
            let sps = parameterSets.first { $0.count > 15 && $0[0] >> 1 & 63 == 33 }
            let profile = boxed ? Array(extradata[1..<13]) : sps.map { VideoConfiguration.profile(inSPS: $0) }
            codecString = profile.flatMap { VideoConfiguration.hevcString($0) }
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }

    private static func avcSets(_ box: [UInt8]) -> [[UInt8]] {
        var sets: [[UInt8]] = []
        var rest = box.dropFirst(5)
        for mask in [UInt8(31), 255] {
            guard let count = rest.popFirst(), take(Int(count & mask), of: &rest, into: &sets) else { return sets }
        }
        return sets
    }

    private static func hevcSets(_ box: [UInt8]) -> [[UInt8]] {
        var sets: [[UInt8]] = []
        var rest = box.dropFirst(23)
        for _ in 0..<Int(box[22]) {
            guard rest.popFirst() != nil, let count = number(&rest), take(count, of: &rest, into: &sets) else {
                return sets
            }
        }
        return sets
    }

    /// Moves parameter sets, each after its length; false if the box ends early.
    private static func take(_ count: Int, of rest: inout ArraySlice<UInt8>, into sets: inout [[UInt8]]) -> Bool {
        for _ in 0..<count {
            guard let length = number(&rest), length > 0, length <= rest.count else { return false }
            sets.append(Array(rest.prefix(length)))
            rest.removeFirst(length)
        }
        return true
    }

    /// Removes a number of two bytes; nil if there are fewer.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= 2 else { return nil }
        return Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
    }

    private static func plainSets(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.withUnsafeBytes { buffer in NALUnits.inAnnexB(buffer).map { [UInt8](buffer[$0]) } }
    }

    /// The twelve bytes of profile, tier, and level in an HEVC sequence parameter set.
    private static func profile(inSPS sps: [UInt8]) -> [UInt8] {
        let plain = NALUnits.unescaped(sps)
        return plain.count >= 15 ? Array(plain[3..<15]) : []
    }

    /// ISO/IEC 14496-15, annex E: profile space and number, reversed compatibility flags, tier and level, constraints.
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
