internal import SegueFetch
internal import SeguePlaylists

/// The contents of resources, parsed once for all players that share them.
extension FetchBytes {
    private struct PlaylistQuestion: Equatable, Sendable {
        let url: String
        let variables: [String: String]
    }

    /// Parses a playlist.
    ///
    /// - Parameters:
    ///   - url: The URL of the playlist.
    ///   - variables: The variables of the multivariant playlist.
    /// - Returns: The playlist.
    /// - Throws: ``PlaylistError`` if the bytes are not a playlist.
    func playlist(from url: String, importing variables: [String: String]) throws(PlaylistError) -> Playlist {
        try answer(to: PlaylistQuestion(url: url, variables: variables)) { bytes in
            Result { () throws(PlaylistError) in try Playlist.parse(bytes, from: url, importing: variables) }
        }.get()
    }

    /// Inspects a segment, with the contents of its initialization section, or an initialization section.
    ///
    /// - Throws: ``SegmentError`` if the bytes are neither.
    func inspection(with initialization: SegmentInspection?) throws(SegmentError) -> SegmentInspection {
        try answer(to: SegmentQuestion(initialization: initialization)) { bytes in
            Result { () throws(SegmentError) in
                try SegmentInspector.inspect(bytes, initialization: initialization)
            }
        }.get()
    }
}

/// The key of a cached inspection of a segment.
struct SegmentQuestion: Equatable, Sendable {
    let initialization: SegmentInspection?
}
