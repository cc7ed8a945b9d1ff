/// A secret that chance has made: a key that stands in an address, or a session's token.
///
/// 26 letters and digits of 5 bits each, 130 bits; no `i`, `l`, `o`, `u`, as they are read aloud and typed on remote
/// controls.
package struct AccessKey: Sendable {
    /// How many characters it has, and how many random bytes it takes to make one.
    package static let length = 26

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The key as it stands in an address.
    package let text: String

    /// A text that has a key's form, capitals taken for small letters; nil where it has not.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length else { return nil }
        let small = text.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        guard small.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = String(decoding: small, as: UTF8.self)
    }

    /// A new key.
    ///
    /// - Parameter random: ``length`` bytes that nobody can guess; five bits of each are used.
    package init(random: [UInt8]) {
        precondition(random.count >= Self.length, "a key takes \(Self.length) random bytes")
        text = String(decoding: random.prefix(Self.length).map { Self.alphabet[Int($0 & 31)] }, as: UTF8.self)
    }

    /// A new key from the system's source of chance.
    package static func make() -> AccessKey {
        var generator = SystemRandomNumberGenerator()
        return AccessKey(random: (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// What is kept of it.
    package var digest: SecretDigest { SecretDigest(of: text) }
}
