import SeguePlayer

/// One station that is retried as long as its listener wants it, finally every half minute.
///
/// It does not use the player's waiting: it starts with the available media, and resumes after a stall itself.
class Radio: PhoneDeck {
    private var delay = Duration.seconds(1)
    private var isStalled = false
    private var watch: KeepUpWatch?

    override init(_ world: World, _ urls: [String]) {
        super.init(world, urls)
        player.automaticallyWaitsToMinimizeStalling = false
        // Old audio is not what its listener wants.
        player.preferredForwardBufferDuration = .seconds(10)
        watch = KeepUpWatch(player) { [weak self] in self?.isLikelyToKeepUp() }
    }

    override func play() {
        delay = .seconds(1)
        super.play()
    }

    override func load(from place: Duration = .zero) {
        isStalled = false
        super.load(from: place)
    }

    override func ready() {
        super.ready()
        delay = .seconds(1)
    }

    override func hear(_ news: PlayerNotification) {
        super.hear(news)
        if case .itemPlaybackStalled(let item) = news, item === self.item { stalled() }
    }

    func stalled() { isStalled = true }

    private func isLikelyToKeepUp() {
        guard isStalled else { return }
        isStalled = false
        resume()
    }

    /// Restarts a program that has ended: a radio has no end.
    override func ended() { load() }

    override func failed() {
        guard isWanted else { return }
        tryAgain(after: delay)
        delay = min(delay * 2, .seconds(30))
    }

    override func offer(to user: User) {
        offerPlaying(to: user)
        user.can(.stop) { self.stop() }
    }
}
