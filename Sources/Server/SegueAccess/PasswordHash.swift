internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The scrypt hash of a password (RFC 7914), which is expensive to compute.
package struct PasswordHash: Sendable, Hashable {
    /// The parameters of scrypt.
    package struct Cost: Sendable, Hashable {
        /// The binary logarithm of N; a check takes `1024 · 2^rounds` bytes with a block size of 8.
        var rounds: Int
        var blockSize: Int
        var parallelism: Int

        /// 32 MiB, three times: a set that OWASP's Password Storage Cheat Sheet recommends.
        package static let usual = Cost(rounds: 15, blockSize: 8, parallelism: 3)

        /// The minimum, for tests.
        package static let least = Cost(rounds: 1, blockSize: 1, parallelism: 1)

        /// True if a check is affordable: a hash in a manipulated database must not exhaust the server's memory.
        var isBearable: Bool {
            (1...17).contains(rounds) && (1...16).contains(blockSize) && (1...8).contains(parallelism)
        }
    }

    /// The length of the salt in bytes.
    package static let saltLength = 16

    /// The maximum length of a password in bytes of UTF-8.
    package static let mostBytes = 1024

    private let cost: Cost
    private let salt: [UInt8]
    private let outcome: [UInt8]

    /// Computes the hash of a password.
    ///
    /// - Parameters:
    ///   - password: The password; canonically equivalent texts are equal.
    ///   - salt: Random bytes, ``saltLength`` of them.
    ///   - cost: The parameters of scrypt.
    package init(of password: String, salt: [UInt8], cost: Cost = .usual) {
        (self.cost, self.salt) = (cost, salt)
        outcome = Self.derive(password, salt: salt, cost: cost)
    }

    /// Computes the hash of a password with a random salt.
    package static func make(of password: String, cost: Cost = .usual) -> PasswordHash {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<saltLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return PasswordHash(of: password, salt: salt, cost: cost)
    }

    /// Parses a stored hash; nil if it is malformed.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
            let outcome = Data(base64Encoded: String(parts[5])), outcome.count == 32
        else { return nil }
        cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        guard cost.isBearable else { return nil }
        (self.salt, self.outcome) = (Array(salt), Array(outcome))
    }

    /// The stored form: `scrypt$LOG-N$R$P$SALT$HASH`.
    package var text: String {
        let parts = [salt, outcome].map { Data($0).base64EncodedString() }
        return "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(parts[0])$\(parts[1])"
    }

    /// Returns true if a password matches, in constant time.
    package func matches(_ password: String) -> Bool {
        let tried = Self.derive(password, salt: salt, cost: cost)
        guard tried.count == outcome.count else { return false }
        return zip(tried, outcome).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Returns the derived key, empty if scrypt fails, such as without memory; then no password matches.
    private static func derive(_ password: String, salt: [UInt8], cost: Cost) -> [UInt8] {
        let bytes = Array(password.precomposedStringWithCanonicalMapping.utf8)
        let key = try? KDF.Scrypt.deriveKey(
            from: bytes,
            salt: salt,
            outputByteCount: 32,
            rounds: 1 << cost.rounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        return key?.withUnsafeBytes { Array($0) } ?? []
    }
}
