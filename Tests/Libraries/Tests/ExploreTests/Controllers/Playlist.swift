import SeguePlayer

/// A list of titles, correct in every situation, so that others differ from it by one bug each.
@MainActor class Playlist: PhoneDeck {
    var isLast: Bool { index == urls.count - 1 }

    override func choose(_ index: Int) {
        self.index = index
        isWanted = true
        begin()
    }

    override func next() {
        guard !isLast else { return }
        index += 1
        begin()
    }

    override func previous() {
        guard index > 0, place < .seconds(3) else { return seek(to: .zero) }
        index -= 1
        begin()
    }

    override func ended() {
        guard !isLast else { return super.ended() }
        index += 1
        begin()
    }

    override func restart() {
        index = 0
        begin()
    }

    /// Starts the current title of the list.
    func begin() {
        retries = Retries()
        load()
    }

    override func offer(to user: User) {
        super.offer(to: user)
        offerList(urls.map { [$0] }, to: user)
    }
}
