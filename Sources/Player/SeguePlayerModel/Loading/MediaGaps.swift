/// The gaps of an item's playlists at a position (`EXT-X-GAP`).
///
/// The playhead passes them without audio or video.
struct MediaGaps: Sendable, Equatable {
    /// Whether audio is missing.
    var ofSound = false

    /// Whether video is missing.
    var ofPictures = false
}
