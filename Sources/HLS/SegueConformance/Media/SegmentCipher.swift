internal import SegueByteCoding
package import SeguePlaylists

/// What is found of an encrypted segment or initialization section before and while it is decrypted.
package struct SealedFacts: Sendable, Equatable {
    /// The segment's number in the playlist, from 0; nil for an initialization section.
    package var number: Int?

    /// Its absolute URL.
    package var url: String

    /// How many bytes it has as it came.
    package var size: Int

    /// How many bytes the key has; nil where it could not be had.
    package var keyLength: Int?

    /// Whether there is a vector to begin with.
    package var hasVector = true

    /// Whether it is not encrypted at all.
    package var isClear = false

    /// Why it cannot be decrypted; nil where it can, or was not tried.
    package var failure: String?

    /// The facts of something encrypted.
    package init(number: Int?, url: String, size: Int) { (self.number, self.url, self.size) = (number, url, size) }
}

/// Decrypts what is encrypted as a whole (AES-128; RFC 8216, 4.3.2.4).
package struct SegmentCipher: Sendable {
    private let key: [UInt8]?
    private let vector: [UInt8]?

    /// A cipher.
    ///
    /// - Parameters:
    ///   - key: What the key's URL gave; nil where it gave nothing.
    ///   - vector: The initialization vector of 16 bytes; nil where there is none.
    package init(key: [UInt8]?, vector: [UInt8]?) { (self.key, self.vector) = (key, vector) }

    /// The key by which a segment or an initialization section can be decrypted here: AES-128, and no key format but
    /// the plain one.
    package static func key(of keys: [MediaKey]) -> MediaKey? {
        keys.first { $0.method == "AES-128" && $0.keyFormat == "identity" }
    }

    /// The vector that a key's attribute says, or the sequence number that takes its place.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - sequence: The segment's media sequence number; nil for an initialization section, which needs the attribute.
    /// - Returns: 16 bytes; nil where there are none.
    package static func vector(of key: MediaKey, sequence: Int?) -> [UInt8]? {
        guard let text = key.initializationVector else {
            return sequence.map { number in
                (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) }
            }
        }
        let digits = text.dropFirst(2)
        guard text.lowercased().hasPrefix("0x"), (1...32).contains(digits.count) else { return nil }
        let values = digits.map(\.hexDigitValue)
        guard !values.contains(nil) else { return nil }
        let nibbles = Array(repeating: 0, count: 32 - values.count) + values.map { $0 ?? 0 }
        return stride(from: 0, to: 32, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }

    /// Decrypts.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - number: The segment's number in the playlist; nil for an initialization section.
    ///   - url: Where it came from.
    /// - Returns: What was found, and the bytes that were encrypted; nil where they cannot be had.
    package func open(_ bytes: [UInt8], number: Int?, url: String) -> (facts: SealedFacts, bytes: [UInt8]?) {
        var facts = SealedFacts(number: number, url: url, size: bytes.count)
        (facts.keyLength, facts.hasVector) = (key?.count, vector != nil)
        if Self.isClear(bytes) {
            facts.isClear = true
            return (facts, bytes)
        }
        guard bytes.count % 16 == 0, let key, key.count == 16, let vector, vector.count == 16 else {
            return (facts, nil)
        }
        do throws(BlockCipher.Failure) {
            return (facts, try BlockCipher.decrypt(bytes, key: key, vector: vector))
        } catch {
            facts.failure = error.description
            return (facts, nil)
        }
    }

    /// Whether the bytes are a segment as they are: what is encrypted looks like chance, and chance has no tables.
    private static func isClear(_ bytes: [UInt8]) -> Bool {
        guard let found = try? SegmentInspector.inspect(bytes) else { return false }
        return found.layout != .packedAudio
    }
}
