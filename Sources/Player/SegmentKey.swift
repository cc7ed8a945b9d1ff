internal import HLS

/// How a segment is decrypted.
struct SegmentKey: Sendable, Equatable {
    /// What of it is encrypted.
    enum Method: Sendable {
        /// All of it (AES-128 in CBC mode with PKCS #7 padding).
        case whole
        /// Samples in it, which only who decodes needs to decrypt.
        case samples
    }

    let method: Method
    let url: String
    let initializationVector: [UInt8]

    /// The one of a segment's keys that can be used.
    ///
    /// - Parameters:
    ///   - keys: The keys, any of which will do; at least one.
    ///   - sequence: The segment's media sequence number, the vector where none is given (RFC 8216, 5.2).
    ///   - playlist: Where the playlist came from.
    ///   - encryption: What the platform does about encrypted media.
    /// - Throws: ``PlaybackError`` when there is none.
    init(
        _ keys: [MediaKey],
        sequence: Int,
        from playlist: String,
        _ encryption: PlatformProfile.Encryption
    ) throws(PlaybackError) {
        let methods = keys.map { "\($0.method) (\($0.keyFormat))" }.joined(separator: ", ")
        guard encryption == .served else {
            throw PlaybackError(
                .encrypted,
                "the media are encrypted with \(methods), which the platform refuses: \(playlist)"
            )
        }
        let usable = keys.first { $0.keyFormat == "identity" && ["AES-128", "SAMPLE-AES"].contains($0.method) }
        guard let key = usable else {
            throw PlaybackError(
                .encrypted,
                "the media are encrypted with \(methods), which is not supported: \(playlist)"
            )
        }
        method = key.method == "AES-128" ? .whole : .samples
        url = URIReference.resolve(key.uri, against: playlist)
        if let text = key.initializationVector {
            guard let vector = SegmentKey.bytes(text) else {
                throw PlaybackError(.encrypted, "\(text) is no initialization vector of 128 bits: \(playlist)")
            }
            initializationVector = vector
        } else {
            initializationVector = (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: sequence >> (8 * (15 - $0))) }
        }
    }

    /// The 16 bytes of a hexadecimal number; nil when it is none, or larger.
    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X"), text.count > 2,
            let value = UInt128(text.dropFirst(2), radix: 16)
        else { return nil }
        return (0..<16).map { UInt8(truncatingIfNeeded: value >> (8 * (15 - UInt128($0)))) }
    }
}
