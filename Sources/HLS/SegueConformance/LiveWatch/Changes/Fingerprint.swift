/// A hash of bytes that identifies a response (FNV-1a).
struct Fingerprint: Sendable, Hashable {
    private var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    private var count = 0

    mutating func add(_ bytes: [UInt8]) {
        sum = bytes.reduce(sum) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        count += bytes.count
    }

    static func of(_ bytes: [UInt8]) -> Fingerprint {
        var fingerprint = Fingerprint()
        fingerprint.add(bytes)
        return fingerprint
    }

    static func of(_ text: String) -> Fingerprint { of(Array(text.utf8)) }
}
