import SeguePlaylists

extension MediaPlaylist {
    /// The media playlist that a text is.
    static func reading(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist.parse(text) else {
            throw PlaylistError(.mixed, line: nil, "not a media playlist")
        }
        return playlist
    }
}
