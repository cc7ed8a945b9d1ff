internal import SegueContainers

/// H.264 frames that repeat a keyframe: slices in which every macroblock is skipped.
///
/// An encoder would spend as many bits as on the keyframe to repair its loss; these frames take about ten bytes and no
/// encoding.
struct RepeatedFrames {
    private let setNumber: Int
    private let frameNumberBits: Int
    /// The number of picture order bits in a slice header; nil if the order is that of decoding.
    private let orderBits: Int?
    private let macroblocks: Int
    private let hasDeblockingControl: Bool

    /// Reads the relevant parameters from parameter sets without start codes; nil unless they are of Baseline profile,
    /// progressive, and single-slice.
    init?(parameterSets: [[UInt8]]) {
        guard let sequence = parameterSets.first(where: { $0.first.map { $0 & 31 } == 7 }), sequence.count > 4,
            sequence[1] == 66, let picture = parameterSets.first(where: { $0.first.map { $0 & 31 } == 8 })
        else { return nil }
        do {
            // ITU-T H.264, 7.3.2.1.1.
            var bits = BitReader(unit: sequence[...], headLength: 4)
            _ = try bits.golomb()
            let frameNumberBits = try bits.golomb()
            let orderKind = try bits.golomb()
            guard frameNumberBits <= 12 else { return nil }
            self.frameNumberBits = frameNumberBits + 4
            switch orderKind {
            case 0:
                let orderBits = try bits.golomb()
                guard orderBits <= 12 else { return nil }
                self.orderBits = orderBits + 4
            case 2: orderBits = nil
            default: return nil
            }
            _ = try bits.golomb()
            try bits.skip(1)
            let columns = try bits.golomb()
            let rows = try bits.golomb()
            guard try bits.flag(), columns < 1 << 12, rows < 1 << 12 else { return nil }
            macroblocks = (columns + 1) * (rows + 1)
            // 7.3.2.2.
            var others = BitReader(unit: picture[...], headLength: 1)
            setNumber = try others.golomb()
            _ = try others.golomb()
            guard try others.bits(2) == 0, try others.golomb() == 0 else { return nil }
            for _ in 0..<2 { _ = try others.golomb() }
            guard try others.bits(3) == 0 else { return nil }
            for _ in 0..<3 { _ = try others.golomb() }
            hasDeblockingControl = try others.flag()
            try others.skip(1)
            guard try !others.flag() else { return nil }
        } catch {
            return nil
        }
    }

    /// The frame at a distance from the keyframe, with its start code.
    func frame(_ number: Int) -> [UInt8] {
        // 7.3.3, for a P slice of a reference frame.
        var bits = BitWriter()
        bits.writeUnsigned(0)
        bits.writeUnsigned(5)
        bits.writeUnsigned(setNumber)
        bits.write(number & (1 << frameNumberBits - 1), count: frameNumberBits)
        if let orderBits { bits.write(2 * number & (1 << orderBits - 1), count: orderBits) }
        // One reference frame, default order and marking, unchanged quantizer.
        bits.write(1, count: 1)
        bits.writeUnsigned(0)
        bits.write(0, count: 2)
        bits.writeUnsigned(0)
        if hasDeblockingControl { bits.writeUnsigned(1) }
        bits.writeUnsigned(macroblocks)
        return [0, 0, 0, 1, 0x41] + Self.escaped(bits.ended())
    }

    /// Inserts emulation prevention bytes (7.4.1).
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in bytes {
            if zeros >= 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        return result
    }
}

/// A bit writer, most significant bit first.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var free = 0

    mutating func write(_ value: Int, count: Int) {
        for bit in (0..<count).reversed() {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(free)
        }
    }

    /// Writes an Exp-Golomb coded number (9.1).
    mutating func writeUnsigned(_ value: Int) {
        let length = Int.bitWidth - (value + 1).leadingZeroBitCount
        write(0, count: length - 1)
        write(value + 1, count: length)
    }

    /// All bytes, with the stop bit.
    mutating func ended() -> [UInt8] {
        write(1, count: 1)
        return bytes
    }
}
