/// What an item has nothing of at a position, since its playlists say so (`EXT-X-GAP`): the playhead passes it, and
/// nothing comes out.
struct MediaGaps: Sendable, Equatable {
    /// Whether it has no sound there.
    var ofSound = false

    /// Whether it has no pictures there.
    var ofPictures = false
}
