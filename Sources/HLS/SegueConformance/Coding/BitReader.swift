/// Reads the bits of a parameter set, the first of a byte first; past the end it throws, and never traps.
struct BitReader {
    /// Why nothing more can be read.
    struct End: Error {}

    /// No parameter set that is looked at is longer.
    private static let mostBytes = 8192

    private let bytes: [UInt8]
    private var place = 0

    /// A reader of some bytes as they are.
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes.prefix(Self.mostBytes)) }

    /// A reader of a NAL unit without its head and without the bytes that keep start codes out of it.
    init(unit: ArraySlice<UInt8>, headLength: Int) {
        var (result, zeros) = ([UInt8](), 0)
        for byte in unit.dropFirst(headLength).prefix(Self.mostBytes) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        bytes = result
    }

    /// How many bits are left.
    var left: Int { bytes.count * 8 - place }

    /// The next bits, at most 56, as a number.
    mutating func bits(_ count: Int) throws(End) -> Int {
        guard count >= 0, count <= 56, left >= count else { throw End() }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[place >> 3] >> UInt8(7 - place & 7) & 1)
            place += 1
        }
        return value
    }

    /// The next bit.
    mutating func flag() throws(End) -> Bool { try bits(1) == 1 }

    /// Leaves out bits.
    mutating func skip(_ count: Int) throws(End) {
        guard count >= 0, left >= count else { throw End() }
        place += count
    }

    /// The next number in Exp-Golomb code, below 2^32.
    mutating func golomb() throws(End) -> Int {
        var zeros = 0
        while try !flag() {
            zeros += 1
            guard zeros <= 32 else { throw End() }
        }
        return try (1 << zeros) - 1 + bits(zeros)
    }

    /// The next number with a sign in Exp-Golomb code.
    mutating func signedGolomb() throws(End) -> Int {
        let code = try golomb()
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }
}
