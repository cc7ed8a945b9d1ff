internal import SegueFFmpeg

/// Finds out from a frame's own headers whether decoding can begin with it, where a container may be wrong.
struct KeyPicture: Sendable {
    /// What a frame's first slice says.
    enum Kind {
        /// Decoding can begin here: an IDR frame, or an intra random access point of HEVC.
        case access
        /// It refers to no other frame.
        case intra
        /// It refers to others.
        case inter
        /// Its units are not as long as they say, so that no decoder finds a slice in it.
        case damaged

        /// True if decoding cannot begin here, whatever the container says.
        var isNoKey: Bool { self == .inter || self == .damaged }
    }

    private let isHEVC: Bool
    /// The bytes of the length before each unit.
    private let lengthSize: Int

    /// A reader for a stream of frames; nil for codecs and ways of framing that it does not know.
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

    /// The number of units may come before the first one with a frame's own bits.
    private static let patience = 64

    /// Looks for what the first slice says.
    ///
    /// - Parameters:
    ///   - size: The packet's bytes.
    ///   - byte: A byte of the packet; nil where it cannot be read.
    /// - Returns: nil where no slice can be found.
    func kind(size: Int, byte: (Int) -> UInt8?) -> Kind? {
        var place = 0
        for _ in 0..<KeyPicture.patience {
            var length = 0
            for _ in 0..<lengthSize {
                guard let next = byte(place) else { return nil }
                length = length << 8 | Int(next)
                place += 1
            }
            guard length > 0, length <= size - place else { return .damaged }
            guard let first = byte(place) else { return nil }
            if isHEVC {
                let type = first >> 1 & 63
                // ITU-T H.265, table 7-1: 0 to 31 are slices, of which 16 to 23 belong to intra random access points.
                if type < 32 { return (16...23).contains(type) ? .access : .inter }
            } else {
                switch first & 31 {
                case 5: return .access
                case 1: return slice(at: place + 1, byte)
                default: break
                }
            }
            place += length
        }
        return nil
    }

    /// ITU-T H.264, 7.3.3: a slice header begins with first_mb_in_slice and slice_type; 2, 4, 7 and 9 are intra.
    private func slice(at place: Int, _ byte: (Int) -> UInt8?) -> Kind? {
        var bits = SliceBits(bit: place * 8)
        guard bits.number(byte) != nil, let type = bits.number(byte) else { return nil }
        return [2, 4].contains(type % 5) ? .intra : .inter
    }
}

/// Reads numbers bit by bit.
private struct SliceBits {
    var bit: Int

    /// The next unsigned number in Exp-Golomb code (ITU-T H.264, 9.1); nil where there is none.
    mutating func number(_ byte: (Int) -> UInt8?) -> Int? {
        var zeros = 0
        while true {
            guard let read = next(byte), zeros < 32 else { return nil }
            if read == 1 { break }
            zeros += 1
        }
        var value = 1
        for _ in 0..<zeros {
            guard let read = next(byte) else { return nil }
            value = value << 1 | read
        }
        return value - 1
    }

    private mutating func next(_ byte: (Int) -> UInt8?) -> Int? {
        defer { bit += 1 }
        return byte(bit / 8).map { Int($0 >> UInt8(7 - bit % 8) & 1) }
    }
}
