package import SeguePlaylists

extension MediaPlaylist {
    /// The most bytes of it that are looked at: the tables of a transport stream are two packets.
    private static let mostInitialization: Int64 = 1 << 20

    /// Where the initialization section of a segment of I-frames is that has no `EXT-X-MAP`: between the start of its
    /// resource and the first I-frame in that (RFC 8216, section 4.3.3.6).
    ///
    /// - Parameter segment: A segment of this playlist.
    /// - Returns: The part of the segment's resource; nil where there is none, or the segment needs none.
    package func unnamedInitialization(of segment: MediaSegment) -> ByteRange? {
        guard isIFramesOnly, segment.map == nil, segment.byteRange != nil else { return nil }
        let offsets = segments.lazy.filter { $0.uri == segment.uri }.map { $0.byteRange?.offset ?? 0 }
        guard let first = offsets.min(), first > 0 else { return nil }
        return ByteRange(offset: 0, length: min(first, Self.mostInitialization))
    }
}
