import SeguePlayer

/// Books, each of which continues where it was left.
class Audiobook: Playlist {
    var places: [Int: Duration] = [:]
    private let witness = PlaceWitness()
    private var clock: Observation?

    override init(_ world: World, _ urls: [String]) {
        super.init(world, urls)
        clock = player.addPeriodicTimeObserver(forInterval: .seconds(5)) { [weak self] _ in self?.save() }
    }

    func save() { if item != nil || target != nil, !hasEnded { places[index] = place } }

    /// Goes to another title, and keeps the position in the current one.
    func leave(for index: Int) {
        save()
        self.index = index
    }

    override func begin() {
        retries = Retries()
        load(from: places[index] ?? .zero)
    }

    override func choose(_ index: Int) {
        leave(for: index)
        isWanted = true
        begin()
    }

    override func next() {
        guard !isLast else { return }
        leave(for: index + 1)
        begin()
    }

    override func previous() {
        guard index > 0, place < .seconds(3) else { return seek(to: .zero) }
        leave(for: index - 1)
        begin()
    }

    override func seek(to place: Duration) {
        witness.moves(in: url, to: place)
        super.seek(to: place)
    }

    override func stop() {
        save()
        super.stop()
        target = places[index]
    }

    override func ended() {
        places[index] = nil
        witness.forget(url)
        super.ended()
    }

    override func offer(to user: User) {
        super.offer(to: user)
        user.expects("place", within: .zero) { [witness, player] in witness.finds(player) }
    }
}
