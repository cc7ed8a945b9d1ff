import Testing

@testable import SegueByteCoding

@Suite struct `AES-128 in CBC mode` {
    private func bytes(_ text: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: 2).map { index in
            let start = text.index(text.startIndex, offsetBy: index)
            return UInt8(text[start..<text.index(start, offsetBy: 2)], radix: 16) ?? 0
        }
    }

    private var key: [UInt8] { bytes("2b7e151628aed2a6abf7158809cf4f3c") }
    private var vector: [UInt8] { bytes("000102030405060708090a0b0c0d0e0f") }

    /// NIST SP 800-38A, F.2.1: the first blocks, before padding.
    @Test func `matches the published test vectors`() throws {
        let plain = bytes("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        let expected = bytes("7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2")
        let encrypted = try BlockCipher.encrypt(plain, key: key, vector: vector)
        #expect(Array(encrypted.prefix(32)) == expected)
        #expect(encrypted.count == 48)
        #expect(try BlockCipher.decrypt(encrypted, key: key, vector: vector) == plain)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 188_000])
    func `round-trips any size`(size: Int) throws {
        let plain = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let encrypted = try BlockCipher.encrypt(plain, key: key, vector: vector)
        #expect(try BlockCipher.decrypt(encrypted, key: key, vector: vector) == plain)
    }

    @Test func `rejects another key, a broken end, and wrong sizes`() throws {
        let encrypted = try BlockCipher.encrypt(Array(repeating: 7, count: 100), key: key, vector: vector)
        #expect(throws: BlockCipher.Failure.self) {
            try BlockCipher.decrypt(encrypted, key: vector, vector: vector)
        }
        #expect(throws: BlockCipher.Failure.self) {
            try BlockCipher.decrypt(Array(encrypted.dropLast()), key: key, vector: vector)
        }
        #expect(throws: BlockCipher.Failure.self) { try BlockCipher.decrypt([], key: key, vector: vector) }
        #expect(throws: BlockCipher.Failure.self) {
            try BlockCipher.decrypt(encrypted, key: Array(key.dropLast()), vector: vector)
        }
    }
}
