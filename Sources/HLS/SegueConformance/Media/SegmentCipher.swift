package import SegueBase
internal import SegueByteCoding
package import SeguePlaylists

/// The facts of an encrypted segment or initialization section.
package struct SealedFacts: Sendable, Equatable {
    /// The index of the segment in the playlist, from 0; nil for an initialization section.
    package var number: Int?

    /// The absolute URL.
    package var url: String

    /// The encrypted size in bytes.
    package var size: Int

    /// The size of the key in bytes; nil if it is not available.
    package var keyLength: Int?

    /// True if there is an initialization vector.
    package var hasVector = true

    /// True if the data is not encrypted.
    package var isClear = false

    /// The reason why decryption failed; nil if it succeeded or was not tried.
    package var failure: Message?

    package init(number: Int?, url: String, size: Int) { (self.number, self.url, self.size) = (number, url, size) }
}

/// Decrypts resources that are encrypted as a whole (AES-128; RFC 8216, 4.3.2.4).
package struct SegmentCipher: Sendable {
    private let key: [UInt8]?
    private let vector: [UInt8]?

    /// A cipher; nil arguments mean that the key or the vector is not available.
    package init(key: [UInt8]?, vector: [UInt8]?) { (self.key, self.vector) = (key, vector) }

    /// The key that can decrypt a resource: AES-128 with the key format `identity`.
    package static func key(of keys: [MediaKey]) -> MediaKey? {
        keys.first { $0.method == "AES-128" && $0.keyFormat == "identity" }
    }

    /// The initialization vector of a key: its attribute, or else the media sequence number.
    ///
    /// - Parameters:
    ///   - sequence: The media sequence number of the segment; nil for an initialization section, which needs the
    ///     attribute.
    /// - Returns: 16 bytes; nil if there is no valid vector.
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

    /// Decrypts a resource.
    ///
    /// - Parameters:
    ///   - number: The index of the segment in the playlist; nil for an initialization section.
    ///   - url: The URL of the resource.
    /// - Returns: The facts and the decrypted bytes, which are nil if decryption is not possible.
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
            facts.failure = Message(words: error.description)
            return (facts, nil)
        }
    }

    /// Returns true if the bytes are a readable segment, which encrypted bytes practically never are.
    private static func isClear(_ bytes: [UInt8]) -> Bool {
        guard let found = try? SegmentInspector.inspect(bytes) else { return false }
        return found.layout != .packedAudio
    }
}
