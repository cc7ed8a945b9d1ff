/// Reads bits, most significant first, such as those of parameter sets.
///
/// It throws at the end.
package struct BitReader {
    /// The error at the end of the bytes.
    package struct End: Error {
        package init() {}
    }

    /// The maximum number of bytes; parameter sets are far shorter.
    private static let byteLimit = 8192

    private let bytes: [UInt8]
    private var position = 0

    /// A reader of raw bytes.
    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes.prefix(Self.byteLimit)) }

    /// A reader of a NAL unit without its header and its emulation prevention bytes.
    package init(unit: ArraySlice<UInt8>, headLength: Int) {
        var (result, zeros) = ([UInt8](), 0)
        for byte in unit.dropFirst(headLength).prefix(Self.byteLimit) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            result.append(byte)
        }
        bytes = result
    }

    /// The number of remaining bits.
    package var left: Int { bytes.count * 8 - position }

    /// Reads up to 56 bits as a number.
    package mutating func bits(_ count: Int) throws(End) -> Int {
        guard count >= 0, count <= 56, left >= count else { throw End() }
        var value = 0
        for _ in 0..<count {
            value = value << 1 | Int(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
            position += 1
        }
        return value
    }

    package mutating func flag() throws(End) -> Bool { try bits(1) == 1 }

    package mutating func skip(_ count: Int) throws(End) {
        guard count >= 0, left >= count else { throw End() }
        position += count
    }

    /// Reads an unsigned Exp-Golomb number below 2^32.
    package mutating func golomb() throws(End) -> Int {
        var zeros = 0
        while try !flag() {
            zeros += 1
            guard zeros <= 32 else { throw End() }
        }
        return try (1 << zeros) - 1 + bits(zeros)
    }

    /// Reads a signed Exp-Golomb number.
    package mutating func signedGolomb() throws(End) -> Int {
        let code = try golomb()
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }
}
