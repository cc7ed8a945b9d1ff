/// A 128-bit hash that is the same in every run and on every machine.
///
/// It identifies contents and names; it is not collision-resistant against attackers. It uses the multiply-and-fold
/// mixing of wyhash, 16 bytes at a time, and four independent lanes for longer input, so that a segment of several
/// megabytes takes a fraction of a millisecond.
enum StableHash {
    /// The two halves of the hash.
    static func of(_ bytes: some Collection<UInt8>) -> (high: UInt64, low: UInt64) {
        if let halves = bytes.withContiguousStorageIfAvailable({ of(UnsafeRawBufferPointer($0)) }) { return halves }
        return Array(bytes).withUnsafeBytes { of($0) }
    }

    /// The hash as 32 hexadecimal digits.
    static func hex(_ bytes: some Collection<UInt8>) -> String {
        let (high, low) = of(bytes)
        return hexDigits(high) + hexDigits(low)
    }

    /// The number of bytes of a block for the four lanes.
    private static let block = 64

    private static func of(_ bytes: UnsafeRawBufferPointer) -> (high: UInt64, low: UInt64) {
        var high: UInt64 = 0xa076_1d64_78bd_642f ^ UInt64(bytes.count)
        var low: UInt64 = 0xe703_7ed1_a0b4_28db
        var offset = 0
        let word = { (place: Int) in
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        if bytes.count >= block {
            var lanes = (high, low, high ^ 0x8ebc_6af0_9c88_c6e3, low ^ 0x5899_65cc_7537_4cc3)
            while offset + block <= bytes.count {
                lanes.0 = fold(lanes.0 ^ word(offset), word(offset + 8) ^ 0x8ebc_6af0_9c88_c6e3)
                lanes.1 = fold(lanes.1 ^ word(offset + 16), word(offset + 24) ^ 0x5899_65cc_7537_4cc3)
                lanes.2 = fold(lanes.2 ^ word(offset + 32), word(offset + 40) ^ 0x1d8e_4e27_c47d_124f)
                lanes.3 = fold(lanes.3 ^ word(offset + 48), word(offset + 56) ^ 0xeb44_acca_b455_d165)
                offset += block
            }
            high = fold(lanes.0 ^ high, lanes.1 ^ 0x1d8e_4e27_c47d_124f) ^ fold(lanes.2, lanes.3 ^ low)
            low = fold(lanes.1 &+ low, lanes.2 ^ 0xeb44_acca_b455_d165) &+ fold(lanes.3, lanes.0 ^ high)
        }
        while offset + 8 <= bytes.count {
            let word = word(offset)
            high = fold(high ^ word, 0x8ebc_6af0_9c88_c6e3)
            low = fold(low &+ word, 0x5899_65cc_7537_4cc3) ^ high.byteSwapped
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = tail << 8 | UInt64(bytes[offset])
            offset += 1
        }
        high = fold(high ^ tail, 0x1d8e_4e27_c47d_124f)
        low = fold(low &+ tail ^ high, 0xeb44_acca_b455_d165)
        return (fold(high ^ low, 0xa076_1d64_78bd_642f), fold(low &+ high, 0xe703_7ed1_a0b4_28db))
    }

    /// The XOR of the two halves of the full product.
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        return high ^ low ^ left
    }

    private static func hexDigits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
