internal import Crypto
internal import CryptoExtras
internal import Foundation

/// What is kept of a password: the outcome of scrypt (RFC 7914), which takes time and memory to try.
package struct PasswordHash: Sendable, Hashable {
    /// What one try takes.
    package struct Cost: Sendable, Hashable {
        /// The binary logarithm of N; a try takes `1024 · 2^rounds` bytes with blocks of 8.
        var rounds: Int
        /// r.
        var blockSize: Int
        /// p.
        var parallelism: Int

        /// 32 MiB, three times over: one of the sets that OWASP's Password Storage Cheat Sheet recommends.
        package static let usual = Cost(rounds: 15, blockSize: 8, parallelism: 3)

        /// As little as possible, for tests.
        package static let least = Cost(rounds: 1, blockSize: 1, parallelism: 1)

        /// Whether a hash with this cost is tried at all: one that was put into the database by somebody else may not take
        /// more memory than a server has.
        var isBearable: Bool {
            (1...17).contains(rounds) && (1...16).contains(blockSize) && (1...8).contains(parallelism)
        }
    }

    /// How many random bytes a hash begins with.
    package static let saltLength = 16

    /// The longest password that is tried, in bytes of UTF-8.
    package static let mostBytes = 1024

    private let cost: Cost
    private let salt: [UInt8]
    private let outcome: [UInt8]

    /// The hash of a password.
    ///
    /// - Parameters:
    ///   - password: The password; how its accents are composed says nothing.
    ///   - salt: Random bytes, ``saltLength`` of them.
    ///   - cost: What one try takes.
    package init(of password: String, salt: [UInt8], cost: Cost = .usual) {
        (self.cost, self.salt) = (cost, salt)
        outcome = Self.derive(password, salt, cost)
    }

    /// A hash of a password, with a salt from the system's source of chance.
    package static func make(of password: String, cost: Cost = .usual) -> PasswordHash {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<saltLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return PasswordHash(of: password, salt: salt, cost: cost)
    }

    /// A hash as it was kept; nil for a text that is none.
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

    /// The hash as it is kept: `scrypt$LOG-N$R$P$SALT$OUTCOME`.
    package var text: String {
        let parts = [salt, outcome].map { Data($0).base64EncodedString() }
        return "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(parts[0])$\(parts[1])"
    }

    /// Whether a password is the one; takes as long for any.
    package func matches(_ password: String) -> Bool {
        let tried = Self.derive(password, salt, cost)
        guard tried.count == outcome.count else { return false }
        return zip(tried, outcome).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Empty where scrypt refuses, as without memory; then no password is the one.
    private static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) -> [UInt8] {
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
