import SeguePlayer

/// Queues all following titles in its player, which advances at the end of an item, as the app does.
final class AdvancesTwice: Playlist {
    private var queue: [PlayerItem] = []

    override init(_ world: World, _ urls: [String]) {
        super.init(world, urls)
        player.actionAtItemEnd = .advance
    }

    override func load(from place: Duration = .zero) {
        for item in queue { player.remove(item) }
        super.load(from: place)
        queue = urls.dropFirst(index + 1).map { PlayerItem(url: $0) }
        for item in queue { player.insert(item) }
    }

    override func hear(_ news: PlayerNotification) {
        super.hear(news)
        guard case .currentItemChanged(let next?) = news, let place = queue.firstIndex(where: { $0 === next }) else {
            return
        }
        queue.removeFirst(place + 1)
        (item, index, target) = (next, urls.count - queue.count - 1, nil)
    }

    override func ended() {
        guard isLast else { return player.advanceToNextItem() }
        item = nil
        player.pause()
        super.ended()
    }
}
