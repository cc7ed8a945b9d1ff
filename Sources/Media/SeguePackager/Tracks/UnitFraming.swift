internal import SegueFFmpeg

/// The framing of NAL units with length fields, of H.264 or HEVC.
struct UnitFraming: Sendable {
    let isHEVC: Bool
    /// The size of each unit's length field, in bytes.
    private let lengthSize: Int

    /// Reads the framing of a stream; nil for unsupported codecs and framings.
    init?(_ info: StreamInfo) {
        let extradata = info.extradata
        guard extradata.first == 1 else { return nil }
        switch info.codec {
        case "h264" where extradata.count > 4: lengthSize = Int(extradata[4] & 3) + 1
        case "hevc" where extradata.count > 21: lengthSize = Int(extradata[21] & 3) + 1
        default: return nil
        }
        isHEVC = info.codec == "hevc"
    }

    /// Reads the length of the unit at a place, and moves there; nil if it cannot be read.
    func length(at place: inout Int, _ byte: (Int) -> UInt8?) -> Int? {
        var length = 0
        for _ in 0..<lengthSize {
            guard let next = byte(place) else { return nil }
            length = length << 8 | Int(next)
            place += 1
        }
        return length
    }
}
