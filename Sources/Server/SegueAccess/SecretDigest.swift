internal import Crypto

/// The SHA-256 of a random secret.
///
/// It suffices for secrets of 128 bits and more, which cannot be guessed; a password needs a ``PasswordHash``.
package struct SecretDigest: Sendable {
    package let bytes: [UInt8]

    package init(of secret: String) { bytes = Array(SHA256.hash(data: Array(secret.utf8))) }

    /// Creates a stored digest; nil unless it has 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// Compares two digests in constant time.
    package func matches(_ other: SecretDigest) -> Bool {
        zip(bytes, other.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A lookup key; its timing reveals nothing without a secret.
    var place: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
