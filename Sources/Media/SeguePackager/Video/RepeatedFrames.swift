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
        // ITU-T H.264, 7.3.2.1.1.
        var bits = BitReader(NALUnits.unescaped(sequence.dropFirst(4)))
        guard bits.readExpGolomb() != nil, let frameNumberBits = bits.readExpGolomb(),
            let orderKind = bits.readExpGolomb(),
            frameNumberBits <= 12
        else { return nil }
        self.frameNumberBits = frameNumberBits + 4
        switch orderKind {
        case 0:
            guard let orderBits = bits.readExpGolomb(), orderBits <= 12 else { return nil }
            self.orderBits = orderBits + 4
        case 2: orderBits = nil
        default: return nil
        }
        guard bits.readExpGolomb() != nil, bits.read(1) != nil, let columns = bits.readExpGolomb(),
            let rows = bits.readExpGolomb(),
            bits.read(1) == 1, columns < 1 << 12, rows < 1 << 12
        else { return nil }
        macroblocks = (columns + 1) * (rows + 1)
        // 7.3.2.2.
        var others = BitReader(NALUnits.unescaped(picture.dropFirst(1)))
        guard let setNumber = others.readExpGolomb(), others.readExpGolomb() != nil, others.read(2) == 0,
            others.readExpGolomb() == 0,
            others.readExpGolomb() != nil, others.readExpGolomb() != nil, others.read(3) == 0,
            others.readExpGolomb() != nil,
            others.readExpGolomb() != nil, others.readExpGolomb() != nil, let control = others.read(1),
            others.read(1) != nil,
            others.read(1) == 0
        else { return nil }
        self.setNumber = setNumber
        hasDeblockingControl = control == 1
    }

    /// The frame at a distance from the keyframe, with its start code.
    func picture(_ number: Int) -> [UInt8] {
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
