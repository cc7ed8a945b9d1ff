import Testing

@testable import SegueAccess

@Suite struct `Password hash` {
    @Test func `matches the test vector of scrypt`() {
        // RFC 7914, section 12, the first example; its first 32 bytes.
        let hash = PasswordHash(of: "", salt: [], cost: PasswordHash.Cost(rounds: 4, blockSize: 1, parallelism: 1))
        #expect(hash.text == "scrypt$4$1$1$$d9ZXYjhleyA7GcpCwYoEl/FrSETjB0ro39/6P+3iFEI=")
    }

    @Test func `accepts canonically equivalent passwords`() {
        let hash = PasswordHash.make(of: "Gru\u{308}n \u{1F511} salt", cost: .least)
        #expect(hash.matches("Gr\u{FC}n \u{1F511} salt"))
        for other in ["", "Grün", "grün \u{1F511} salt", "Grün \u{1F511} salt "] { #expect(!hash.matches(other)) }
        #expect(PasswordHash.make(of: "a", cost: .least) != PasswordHash.make(of: "a", cost: .least))
    }

    @Test func `survives storage`() throws {
        let hash = PasswordHash.make(of: "secret", cost: .least)
        #expect(try #require(PasswordHash(hash.text)) == hash)
        #expect(PasswordHash.make(of: "secret").text.hasPrefix("scrypt$15$8$3$"))
    }

    @Test(arguments: [
        "", "scrypt", "scrypt$1$1$1$$", "scrypt$1$1$1$$AAAA",
        "bcrypt$1$1$1$$" + String(repeating: "A", count: 43) + "=",
        "scrypt$40$8$1$$" + String(repeating: "A", count: 43) + "=",
        "scrypt$15$9999999$1$$" + String(repeating: "A", count: 43) + "=",
        "scrypt$-1$8$1$$" + String(repeating: "A", count: 43) + "=",
        "scrypt$9223372036854775807$8$1$$" + String(repeating: "A", count: 43) + "=",
        "scrypt$1$1$1$!$" + String(repeating: "A", count: 43) + "=",
    ])
    func `rejects malformed and unaffordable hashes`(text: String) {
        #expect(PasswordHash(text) == nil)
    }
}
