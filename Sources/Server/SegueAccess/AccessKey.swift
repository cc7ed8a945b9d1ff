/// A random secret: a key in an address, or the token of a session.
///
/// 26 letters and digits of 5 bits each, 130 bits; without `i`, `l`, `o`, and `u`, since people read keys aloud and
/// type them on remote controls.
package struct AccessKey: Sendable {
    /// The number of characters, and of random bytes for a new key.
    package static let length = 26

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The key as it appears in addresses.
    package let text: String

    /// Parses a key in any case; nil if it is malformed.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length else { return nil }
        let small = text.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        guard small.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = String(decoding: small, as: UTF8.self)
    }

    /// Creates a key.
    ///
    /// - Parameter random: ``length`` secret random bytes; five bits of each are used.
    package init(random: [UInt8]) {
        precondition(random.count >= Self.length, "a key requires \(Self.length) random bytes")
        text = String(decoding: random.prefix(Self.length).map { Self.alphabet[Int($0 & 31)] }, as: UTF8.self)
    }

    /// Creates a key from the system's random number generator.
    package static func make() -> AccessKey {
        var generator = SystemRandomNumberGenerator()
        return AccessKey(random: (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    package var digest: SecretDigest { SecretDigest(of: text) }
}
