import SeguePlayer

/// Treats every stop of an item as its end, so that an interrupted title counts as played.
final class TakesACutForTheEnd: Playlist {
    private var finished: Set<String> = []
    /// The last position and the duration of each title, by its URL.
    private var places: [String: Duration] = [:]
    private var lengths: [String: Duration] = [:]

    override func failed() { ended() }

    override func ended() {
        finished.insert(url)
        super.ended()
    }

    private func look() {
        guard let item = player.currentItem, item.status == .readyToPlay else { return }
        places[item.url] = max(player.currentTime, places[item.url] ?? .zero)
        lengths[item.url] = item.duration
    }

    override func offer(to user: User) {
        super.offer(to: user)
        user.expects("finished", within: .zero) { [self] in
            look()
            return finished.allSatisfy { url in
                lengths[url].map { (places[url] ?? .zero) + .seconds(15) > $0 } ?? false
            }
        }
    }
}
