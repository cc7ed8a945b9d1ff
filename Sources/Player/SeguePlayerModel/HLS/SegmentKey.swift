internal import SeguePlaylists

/// The key and method to decrypt a segment.
struct SegmentKey: Sendable, Equatable {
    /// The encrypted part of a segment.
    enum Method: Sendable {
        /// All of it (AES-128 in CBC mode with PKCS #7 padding).
        case whole
        /// The samples in it, which only a decoder needs to decrypt.
        case samples
    }

    let method: Method
    let initializationVector: [UInt8]
    private let uri: String
    private let playlist: String

    /// The URL of the key.
    var url: String { URIReference.resolve(uri, against: playlist) }

    /// The usable key among those of a segment or of an initialization section; nil if there are no keys.
    ///
    /// - Parameters:
    ///   - keys: The keys, any of which suffices.
    ///   - sequence: The segment's media sequence number, the initialization vector by default (RFC 8216, 5.2); nil for
    ///     an initialization section, whose key has a vector (RFC 8216, 4.3.2.5).
    ///   - playlist: The URL of the playlist.
    ///   - encryption: The platform's handling of encrypted media.
    /// - Throws: ``PlaybackError`` if no key is usable.
    init?(
        _ keys: [MediaKey],
        sequence: Int?,
        from playlist: String,
        _ encryption: PlatformProfile.Encryption
    ) throws(PlaybackError) {
        guard !keys.isEmpty else { return nil }
        let methods = keys.map { "\($0.method) (\($0.keyFormat))" }.joined(separator: ", ")
        guard encryption == .served else {
            throw PlaybackError(
                .encrypted,
                "the media are encrypted with \(methods), which the platform refuses: \(playlist)"
            )
        }
        guard let key = keys.first(where: SegmentKey.isUsable) else {
            throw PlaybackError(
                .encrypted,
                "the media are encrypted with \(methods), which is not supported: \(playlist)"
            )
        }
        method = key.method == "AES-128" ? .whole : .samples
        (uri, self.playlist) = (key.uri, playlist)
        if let text = key.initializationVector {
            guard let vector = SegmentKey.bytes(text) else {
                throw PlaybackError(.encrypted, "\(text) is not a 128-bit initialization vector: \(playlist)")
            }
            initializationVector = vector
        } else {
            guard let sequence = sequence ?? (method == .samples ? 0 : nil) else {
                throw PlaybackError(
                    .encrypted,
                    "the initialization section is encrypted, but its key has no initialization vector: \(playlist)"
                )
            }
            initializationVector = (0..<16).map { $0 < 8 ? 0 : UInt8(truncatingIfNeeded: sequence >> (8 * (15 - $0))) }
        }
    }

    /// Returns whether a key's method and format are supported.
    static func isUsable(_ key: MediaKey) -> Bool {
        key.keyFormat == "identity" && ["AES-128", "SAMPLE-AES"].contains(key.method)
    }

    /// Parses a hexadecimal number of up to 16 bytes.
    private static func bytes(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X"), text.count > 2,
            let value = UInt128(text.dropFirst(2), radix: 16)
        else { return nil }
        return (0..<16).map { UInt8(truncatingIfNeeded: value >> (8 * (15 - UInt128($0)))) }
    }
}
