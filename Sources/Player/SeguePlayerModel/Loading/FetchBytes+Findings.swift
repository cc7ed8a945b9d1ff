internal import SegueFetch
internal import SeguePlaylists

/// What bytes say: found once for every resource, however many players ask.
extension FetchBytes {
    private struct PlaylistQuestion: Equatable, Sendable {
        let url: String
        let variables: [String: String]
    }

    /// The playlist that they are.
    ///
    /// - Parameters:
    ///   - url: Where it came from.
    ///   - variables: Those of the multivariant playlist that it was found in.
    /// - Returns: The playlist.
    /// - Throws: ``PlaylistError`` where they are none.
    func playlist(from url: String, importing variables: [String: String]) throws(PlaylistError) -> Playlist {
        try answer(to: PlaylistQuestion(url: url, variables: variables)) { bytes in
            Result { () throws(PlaylistError) in try Playlist.parse(bytes, from: url, importing: variables) }
        }.get()
    }

    /// What is in a segment or an initialization section.
    ///
    /// - Parameter initialization: What the segment's initialization section held; nil where there is none.
    /// - Returns: What is in it.
    /// - Throws: ``SegmentError`` where they are neither.
    func inspection(with initialization: SegmentInspection?) throws(SegmentError) -> SegmentInspection {
        try answer(to: SegmentQuestion(initialization: initialization)) { bytes in
            Result { () throws(SegmentError) in
                try SegmentInspector.inspect(bytes, initialization: initialization)
            }
        }.get()
    }
}

/// The question what is in a segment.
struct SegmentQuestion: Equatable, Sendable {
    let initialization: SegmentInspection?
}
