import Testing

@testable import SegueAccess

@Suite struct `Access key` {
    @Test func `a key has 26 random characters of five bits`() {
        #expect(AccessKey(random: [UInt8](repeating: 0, count: 26)).text == String(repeating: "0", count: 26))
        #expect(AccessKey(random: (0..<26).map { $0 + 32 }).text == "0123456789abcdefghjkmnpqrs")
        #expect(AccessKey.make().text != AccessKey.make().text)
    }

    @Test(arguments: [
        ("0123456789abcdefghjkmnpqrs", true), ("0123456789ABCDEFGHJKMNPQRS", true),
        ("0123456789abcdefghjkmnpqr", false), ("0123456789abcdefghjkmnpqrst", false),
        ("0123456789abcdefghjkmnpqri", false), ("0123456789abcdefghjkmnpq/s", false), ("", false),
        ("0123456789abcdefghjkmnpqü", false),
    ])
    func `a text is a key if it has the form`(text: String, isKey: Bool) {
        #expect((AccessKey(text) != nil) == isKey)
    }

    @Test func `a key is case-insensitive`() {
        #expect(AccessKey("0123456789ABCDEFGHJKMNPQRS")?.text == "0123456789abcdefghjkmnpqrs")
    }

    @Test func `a key is stored as its SHA-256`() throws {
        let digest = SecretDigest(of: "abc")
        // FIPS 180-2, appendix B.1.
        #expect(digest.bytes.prefix(4) == [0xBA, 0x78, 0x16, 0xBF] && digest.bytes.suffix(2) == [0x15, 0xAD])
        #expect(digest.matches(try #require(SecretDigest(bytes: digest.bytes))))
        for index in [0, 15, 31] {
            var other = digest.bytes
            other[index] ^= 1
            #expect(!digest.matches(try #require(SecretDigest(bytes: other))))
        }
        #expect(SecretDigest(bytes: []) == nil)
    }
}
