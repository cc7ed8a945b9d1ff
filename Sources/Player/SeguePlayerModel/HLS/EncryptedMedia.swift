internal import SegueByteCoding
package import SeguePlaylists

/// Decryption of segments and initialization sections for code that inspects media without playing them.
package enum EncryptedMedia {
    /// Decrypts a resource if it is encrypted as a whole.
    ///
    /// - Parameters:
    ///   - bytes: The resource, encrypted or not.
    ///   - keys: The keys of a segment or of an initialization section.
    ///   - sequence: The segment's media sequence number; nil for an initialization section.
    ///   - playlist: The URL of the playlist.
    ///   - key: Fetches the key at a URL.
    /// - Returns: The decrypted bytes.
    /// - Throws: ``PlaybackError`` if no key is usable or decryption fails, and the errors of `key`.
    package static func opened(
        _ bytes: [UInt8],
        with keys: [MediaKey],
        sequence: Int?,
        from playlist: String,
        key: (String) throws -> [UInt8]
    ) throws -> [UInt8] {
        guard let own = try SegmentKey(keys, sequence: sequence, from: playlist, .served) else { return bytes }
        guard own.method == .whole else {
            throw PlaybackError(
                .encrypted,
                "the segment cannot be inspected because its samples are encrypted: \(playlist)"
            )
        }
        do {
            return try BlockCipher.decrypt(bytes, key: try key(own.url), vector: own.initializationVector)
        } catch let error as BlockCipher.Failure {
            throw PlaybackError(.media, code: 1, "the media cannot be decrypted: \(error): \(playlist)")
        }
    }
}
