/// The facts of the first access unit of a video stream, in Annex B or length-prefixed form.
struct AccessUnitHead {
    /// True if the first slice is of an IDR frame, or of an IRAP frame of HEVC (IDR, CRA, BLA); nil without a slice.
    private(set) var isIDR: Bool?
    /// True if frames that refer to earlier ones may follow the first: a CRA frame, or a BLA frame with leading ones.
    private(set) var isOpen = false
    /// The H.264 codec in the form of `CODECS`; nil without parameter sets.
    private(set) var parameters: String?
    /// A hash of the parameter sets; 0 without any.
    private(set) var coding: UInt64 = 0

    /// Reads NAL units with start codes.
    init(startCodes bytes: [UInt8], isHEVC: Bool) {
        var index = 0
        while index + 3 < bytes.count, isIDR == nil {
            if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                let start = index + 3
                var end = start
                while end < min(bytes.count, start + 64),
                    !(bytes[end] == 0 && end + 2 < bytes.count && bytes[end + 1] == 0 && bytes[end + 2] <= 1)
                {
                    end += 1
                }
                read(bytes[start..<end], isHEVC: isHEVC)
                index = start
            } else {
                index += 1
            }
        }
    }

    /// Reads NAL units with four-byte lengths.
    init(lengths bytes: ArraySlice<UInt8>, isHEVC: Bool) {
        var rest = bytes
        while isIDR == nil, rest.count > 5 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            read(rest.dropFirst(4).prefix(length), isHEVC: isHEVC)
            rest = rest.dropFirst(4 + length)
        }
    }

    private mutating func read(_ unit: ArraySlice<UInt8>, isHEVC: Bool) {
        guard let header = unit.first else { return }
        if isHEVC {
            let type = header >> 1 & 63
            // Types 16 to 21 are random access points.
            if type < 32 {
                isIDR = (16...21).contains(type)
                isOpen = [16, 21].contains(type)
            }
            if (32...34).contains(type) { mix(unit) }
            return
        }
        switch header & 31 {
        case 1: isIDR = false
        case 5: isIDR = true
        case 7:
            parameters = parameters ?? Self.codec(unit.dropFirst().prefix(3))
            mix(unit)
        case 8: mix(unit)
        default: break
        }
    }

    /// Adds a parameter set to the hash.
    private mutating func mix(_ unit: ArraySlice<UInt8>) {
        for byte in unit.prefix(64) { coding = (coding ^ UInt64(byte)) &* 0x100_0000_01B3 &+ 1 }
    }

    /// The name `avc1` with profile, constraints, and level.
    static func codec(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count == 3 else { return nil }
        return "avc1." + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
