import SeguePlayer

/// Plays one item at a time, as its user intends, without knowledge of the device.
@MainActor class Deck: Controller {
    let player: QueuePlayer
    let urls: [String]
    var index = 0
    var item: PlayerItem?

    /// Whether the user wants playback.
    var isWanted = false
    /// Whether everything has been played.
    var hasEnded = false
    var rate = 1.0
    /// The user's target position, until the playhead is there.
    var target: Duration?
    var retries = Retries()
    private var retry: Task<Void, Never>?
    private var observation: Observation?

    init(_ world: World, _ urls: [String]) {
        (player, self.urls) = (world.player, urls)
        player.actionAtItemEnd = .pause
        observation = player.observe { [weak self] in self?.hear($0) }
    }

    var url: String { urls[index] }

    /// The position in the title, or that of a seek in progress.
    var place: Duration { target ?? (item == nil ? .zero : player.currentTime) }

    var mayPlay: Bool { isWanted && item.map { $0.status != .failed } ?? false }

    // MARK: The user

    func play() {
        isWanted = true
        retries = Retries()
        if hasEnded { return restart() }
        if mayPlay { resume() } else { load(from: place) }
    }

    func pause() {
        isWanted = false
        retry?.cancel()
        player.pause()
    }

    func stop() {
        pause()
        (item, target, hasEnded) = (nil, nil, false)
        player.removeAllItems()
    }

    func setRate(_ rate: Double) {
        self.rate = rate
        if player.rate > 0 { player.rate = rate }
    }

    func seek(to place: Duration) {
        (target, hasEnded) = (place, false)
        if item?.status == .readyToPlay { go() }
    }

    func choose(_ index: Int) {}
    func next() {}
    func previous() {}

    func offer(to user: User) {
        offerPlaying(to: user)
        user.can(.stop) { self.stop() }
        user.canSeek { self.seek(to: $0) }
        user.canSetRate([1, 1.5, 2]) { self.setRate($0) }
    }

    // MARK: The player

    /// Loads the title into the player, and plays if the user wants it.
    func load(from place: Duration = .zero) {
        retry?.cancel()
        (target, hasEnded) = (nil, false)
        let item = PlayerItem(url: url, startingAt: place)
        self.item = item
        player.replaceCurrentItem(with: item)
        resume()
    }

    func resume() { if mayPlay { player.rate = rate } }

    /// Restarts after everything has been played.
    func restart() { load() }

    /// Seeks to the user's target as soon as possible.
    func go() {
        guard let item, let target else { return }
        Task {
            guard item === self.item, item.status == .readyToPlay, target == self.target else { return }
            if await player.seek(to: target), item === self.item, target == self.target { self.target = nil }
        }
    }

    func hear(_ news: PlayerNotification) {
        switch news {
        case .itemReadyToPlay(let item) where item === self.item: ready()
        case .itemDidPlayToEndTime(let item) where item === self.item: ended()
        case .itemFailed(let item) where item === self.item: failed()
        default: break
        }
    }

    func ready() { go() }

    func ended() { (isWanted, hasEnded) = (false, true) }

    func failed() {
        guard isWanted, let pause = retries.pause(at: place) else { return giveUp() }
        tryAgain(after: pause)
    }

    func tryAgain(after pause: Duration) {
        retry?.cancel()
        retry = Task {
            try? await Task.sleep(for: pause)
            if !Task.isCancelled { load(from: place) }
        }
    }

    func giveUp() {
        isWanted = false
        retry?.cancel()
    }
}
