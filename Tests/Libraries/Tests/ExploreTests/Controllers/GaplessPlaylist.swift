import SeguePlayer

/// A list whose player has the next title in its queue in advance, and advances to it automatically.
class GaplessPlaylist: Playlist {
    private(set) var ahead: PlayerItem?

    override init(_ world: World, _ urls: [String]) {
        super.init(world, urls)
        player.actionAtItemEnd = .advance
    }

    override func load(from place: Duration = .zero) {
        dropAhead()
        super.load(from: place)
    }

    override func stop() {
        ahead = nil
        super.stop()
    }

    override func ready() {
        super.ready()
        guard !isLast, ahead == nil, let item else { return }
        let next = PlayerItem(url: urls[index + 1])
        ahead = next
        player.insert(next, after: item)
    }

    override func hear(_ news: PlayerNotification) {
        super.hear(news)
        switch news {
        case .currentItemChanged(let item?) where item === ahead: goOn(with: item)
        case .itemFailed(let item) where item === ahead: dropAhead()
        default: break
        }
    }

    /// The queue is empty then if no title was queued.
    override func ended() {
        guard ahead == nil else { return }
        item = nil
        guard isLast else { return super.ended() }
        player.pause()
        super.ended()
    }

    private func goOn(with next: PlayerItem) {
        index += 1
        (item, ahead, target) = (next, nil, nil)
        retries = Retries()
        switch next.status {
        case .readyToPlay: ready()
        case .failed: failed()
        case .unknown: break
        }
    }

    private func dropAhead() {
        if let ahead { player.remove(ahead) }
        ahead = nil
    }
}
