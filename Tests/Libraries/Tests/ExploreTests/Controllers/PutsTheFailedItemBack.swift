import SeguePlayer

/// Retries with the item that has failed permanently.
final class PutsTheFailedItemBack: Playlist {
    override func load(from place: Duration) {
        guard let item, item.status == .failed, item.url == url else { return super.load(from: place) }
        player.replaceCurrentItem(with: item)
        player.rate = rate
    }
}
