internal import SegueFFmpeg

/// A check of a frame's own headers for a keyframe, because containers may be wrong.
struct KeyFrame: Sendable {
    /// The type of a frame's first slice.
    enum Kind {
        /// A random access point: an IDR frame, or an HEVC IRAP frame.
        case access
        /// A frame without references.
        case intra
        /// A frame with references.
        case inter
        /// A frame with invalid unit lengths, in which no decoder finds a slice.
        case damaged

        /// True if decoding cannot start here, regardless of the container.
        var isNoKey: Bool { self == .inter || self == .damaged }
    }

    private let framing: UnitFraming

    /// Creates a reader; nil for unsupported codecs and framings.
    init?(_ info: StreamInfo) {
        guard let framing = UnitFraming(info) else { return nil }
        self.framing = framing
    }

    /// The maximum number of units before the first slice.
    private static let patience = 64

    /// Determines the type of the first slice; nil if none is found.
    ///
    /// `byte` returns a byte of the packet, or nil if it cannot be read.
    func kind(size: Int, byte: (Int) -> UInt8?) -> Kind? {
        var place = 0
        for _ in 0..<KeyFrame.patience {
            guard let length = framing.length(at: &place, byte) else { return nil }
            guard length > 0, length <= size - place else { return .damaged }
            guard let first = byte(place) else { return nil }
            if framing.isHEVC {
                let type = first >> 1 & 63
                // ITU-T H.265, table 7-1: 0 to 31 are slices, of which 16 to 23 are IRAP.
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

    /// ITU-T H.264, 7.3.3: a slice header begins with first_mb_in_slice and slice_type; 2, 4, 7, and 9 are intra.
    private func slice(at place: Int, _ byte: (Int) -> UInt8?) -> Kind? {
        var bits = SliceBits(bit: place * 8)
        guard bits.number(byte) != nil, let type = bits.number(byte) else { return nil }
        return [2, 4].contains(type % 5) ? .intra : .inter
    }
}

/// A bit reader for slice headers.
private struct SliceBits {
    var bit: Int

    /// Reads an unsigned Exp-Golomb number (ITU-T H.264, 9.1); nil at the end.
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
