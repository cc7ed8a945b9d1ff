internal import Crypto

/// What is kept of a secret that chance has made: its SHA-256.
///
/// Enough for secrets of 128 bits and more, which nobody guesses however fast; a password needs a ``PasswordHash``.
package struct SecretDigest: Sendable {
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// The digest of a secret.
    package init(of secret: String) { bytes = Array(SHA256.hash(data: Array(secret.utf8))) }

    /// A digest that was kept; nil where it has not 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Whether two digests are the same, in a time that does not depend on where they differ.
    package func matches(_ other: SecretDigest) -> Bool {
        zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Under what it is looked for; whoever has no secret for it can make nothing of how long that takes.
    var place: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
