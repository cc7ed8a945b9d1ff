/// Tells whether two answers are the same without keeping one (FNV-1a).
enum Fingerprint {
    static func of(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
