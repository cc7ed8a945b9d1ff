package import SeguePlaylists

extension MediaPlaylist {
    /// The maximum size in bytes; the tables of a transport stream fit in two packets.
    private static let initializationLimit: Int64 = 1 << 20

    /// The byte range of the initialization section of an I-frame segment without `EXT-X-MAP`: from the start of the
    /// resource to its first I-frame (RFC 8216, section 4.3.3.6).
    ///
    /// - Parameter segment: A segment of this playlist.
    /// - Returns: The range in the segment's resource; nil if the segment needs none.
    package func unnamedInitialization(of segment: MediaSegment) -> ByteRange? {
        guard isIFramesOnly, segment.map == nil, segment.byteRange != nil else { return nil }
        let offsets = segments.lazy.filter { $0.uri == segment.uri }.map { $0.byteRange?.offset ?? 0 }
        guard let first = offsets.min(), first > 0 else { return nil }
        return ByteRange(offset: 0, length: min(first, Self.initializationLimit))
    }
}
