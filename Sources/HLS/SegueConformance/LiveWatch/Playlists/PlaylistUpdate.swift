internal import SeguePlaylists

/// One loaded version of a playlist, with the violations and requests that it causes.
struct PlaylistUpdate {
    let playlist: MediaPlaylist
    let response: WatchResponse
    let asked: Directives
    /// True if the response was a delta update.
    let isDelta: Bool
    var breaches: [Breach] = []
    var requests: [WatchRequest] = []
}
