/// The gaps of an item's playlists at a position (`EXT-X-GAP`), and segments that lack audio or video there.
///
/// The playhead passes them without audio or video.
struct MediaGaps: Sendable, Equatable {
    /// True if audio is missing.
    var ofAudio = false

    /// True if video is missing.
    var ofVideo = false
}
