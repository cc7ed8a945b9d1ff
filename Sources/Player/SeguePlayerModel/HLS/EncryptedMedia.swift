internal import SegueByteCoding
package import SeguePlaylists

/// Segments and initialization sections that are encrypted as a whole, for whoever has to look into them and plays nothing.
package enum EncryptedMedia {
    /// The bytes as they were before they were encrypted; as they are where they are not.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - keys: The keys of a segment or of an initialization section.
    ///   - sequence: The segment's media sequence number; nil for an initialization section.
    ///   - playlist: Where the playlist came from.
    ///   - key: Fetches a key.
    /// - Returns: The bytes.
    /// - Throws: ``PlaybackError`` where no key can be used or it does not open them, and what `key` throws.
    package static func opened(
        _ bytes: [UInt8],
        with keys: [MediaKey],
        sequence: Int?,
        from playlist: String,
        key: (String) throws -> [UInt8]
    ) throws -> [UInt8] {
        guard let own = try SegmentKey(keys, sequence: sequence, from: playlist, .served) else { return bytes }
        guard own.method == .whole else {
            throw PlaybackError(.encrypted, "its samples are encrypted, so that nothing is known of them: \(playlist)")
        }
        do {
            return try BlockCipher.decrypt(bytes, key: try key(own.url), vector: own.initializationVector)
        } catch let error as BlockCipher.Failure {
            throw PlaybackError(.media, 1, "the media cannot be decrypted: \(error): \(playlist)")
        }
    }
}
