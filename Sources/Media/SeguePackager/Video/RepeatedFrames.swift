/// Frames of H.264 that show a keyframe again: slices in which every macroblock is skipped.
///
/// An encoder spends as many bits on such frames as on the keyframe, to make good what that has lost; here they take
/// some ten bytes each, and nothing is encoded.
struct RepeatedFrames {
    private let setNumber: Int
    private let frameNumberBits: Int
    /// The number of bits the order of showing has in a slice; nil where it is that of decoding.
    private let orderBits: Int?
    private let macroblocks: Int
    private let hasDeblockingControl: Bool

    /// Reads what slices depend on.
    ///
    /// - Parameter parameterSets: A sequence's and a frame's, without start codes; nil comes of those that are not as
    ///   the Baseline profile with progressive frames in one piece has them.
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

    /// The frame that comes so many after the keyframe, with its start code.
    func picture(_ number: Int) -> [UInt8] {
        // 7.3.3, for a slice of kind P of a frame that others refer to.
        var bits = BitWriter()
        bits.writeUnsigned(0)
        bits.writeUnsigned(5)
        bits.writeUnsigned(setNumber)
        bits.write(number & (1 << frameNumberBits - 1), count: frameNumberBits)
        if let orderBits { bits.write(2 * number & (1 << orderBits - 1), count: orderBits) }
        // One reference frame, in the usual order, kept as usual, and the quantiser as it is.
        bits.write(1, count: 1)
        bits.writeUnsigned(0)
        bits.write(0, count: 2)
        bits.writeUnsigned(0)
        if hasDeblockingControl { bits.writeUnsigned(1) }
        bits.writeUnsigned(macroblocks)
        return [0, 0, 0, 1, 0x41] + Self.escaped(bits.ended())
    }

    /// Bytes of a unit with those that keep start codes out of it (7.4.1).
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

/// Bits in a row, the most significant first.
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

    /// A number in Exp-Golomb code (9.1).
    mutating func writeUnsigned(_ value: Int) {
        let length = Int.bitWidth - (value + 1).leadingZeroBitCount
        write(0, count: length - 1)
        write(value + 1, count: length)
    }

    /// All bytes, with the bit that ends them.
    mutating func ended() -> [UInt8] {
        write(1, count: 1)
        return bytes
    }
}
