/// What the first access unit of a video stream says, in Annex B or with lengths.
struct PictureHead {
    /// Whether the first slice is of a picture that needs none before it; nil when there is no slice.
    private(set) var isIDR: Bool?
    /// The H.264 codec as `CODECS` has it; nil when there are no parameters.
    private(set) var parameters: String?

    /// Reads NAL units that begin with start codes.
    init(startCodes bytes: [UInt8], isHEVC: Bool) {
        var index = 0
        while index + 3 < bytes.count, isIDR == nil {
            if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                take(bytes[(index + 3)...], isHEVC: isHEVC)
                index += 3
            } else {
                index += 1
            }
        }
    }

    /// Reads NAL units after their lengths of four bytes.
    init(lengths bytes: ArraySlice<UInt8>, isHEVC: Bool) {
        var rest = bytes
        while isIDR == nil, rest.count > 5 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            take(rest.dropFirst(4), isHEVC: isHEVC)
            rest = rest.dropFirst(4 + length)
        }
    }

    private mutating func take(_ unit: ArraySlice<UInt8>, isHEVC: Bool) {
        guard let header = unit.first else { return }
        if isHEVC {
            let type = header >> 1 & 63
            // 16 to 21 are the pictures at which decoding may begin.
            if type < 32 { isIDR = (16...21).contains(type) }
            return
        }
        switch header & 31 {
        case 1: isIDR = false
        case 5: isIDR = true
        case 7: parameters = parameters ?? Self.codec(unit.dropFirst().prefix(3))
        default: break
        }
    }

    /// `avc1` with profile, constraints and level.
    static func codec(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.count == 3 else { return nil }
        return "avc1." + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
