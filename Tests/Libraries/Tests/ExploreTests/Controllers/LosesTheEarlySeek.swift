/// Ignores a seek before the item is ready.
final class LosesTheEarlySeek: Playlist {
    override func seek(to place: Duration) { if item?.status == .readyToPlay { super.seek(to: place) } }
}
