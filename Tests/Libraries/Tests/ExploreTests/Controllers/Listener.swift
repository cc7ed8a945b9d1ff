import SeguePlayer

/// A list played by one task, from title to title, which waits for notifications of the player.
final class Listener: Controller {
    /// The notifications of the device and the player, in one sequence, because two would lose the order.
    enum News: Sendable {
        case device(DeviceNotification)
        case player(PlayerNotification)
    }

    private enum Outcome { case ended, failed }

    let player: QueuePlayer
    private let urls: [String]
    private var index = 0
    private var item: PlayerItem?
    var isWanted = false
    var isInterrupted = false
    var isAway = false
    var status = QueuePlayer.TimeControlStatus.paused
    private var rate = 1.0
    private var target: Duration?
    private var performance: Task<Void, Never>?
    let hold: BackgroundHold
    private var observations: [Observation] = []

    init(_ world: World, _ urls: [String]) {
        (player, self.urls, hold) = (world.player, urls, BackgroundHold(world.device))
        player.actionAtItemEnd = .pause
        let (news, source) = AsyncStream<News>.makeStream()
        observations = [
            world.device.observe { source.yield(.device($0)) }, world.player.observe { source.yield(.player($0)) },
        ]
        Task { for await news in news { hear(news) } }
    }

    private var place: Duration { target ?? (item == nil ? .zero : player.currentTime) }

    // MARK: The user

    func play() {
        (isWanted, isInterrupted) = (true, false)
        if performance == nil || item?.status == .failed { begin(from: place) } else { resume() }
    }

    func pause() {
        isWanted = false
        player.pause()
        hold.end()
    }

    func next() { if index + 1 < urls.count { choose(index + 1, plays: isWanted) } }
    func previous() { if index > 0 { choose(index - 1, plays: isWanted) } else { seek(to: .zero) } }
    func choose(_ index: Int) { choose(index, plays: true) }

    private func choose(_ index: Int, plays: Bool) {
        (self.index, isWanted) = (index, plays)
        begin(from: .zero)
    }

    func seek(to place: Duration) {
        target = place
        if item?.status == .readyToPlay { Task { await go() } }
    }

    func setRate(_ rate: Double) {
        self.rate = rate
        if player.rate > 0 { player.rate = rate }
    }

    func offer(to user: User) {
        offerPlaying(to: user)
        offerList(urls.map { [$0] }, to: user)
        user.canSeek { self.seek(to: $0) }
        user.canSetRate([1, 1.5, 2]) { self.setRate($0) }
    }

    // MARK: Playing

    var mayPlay: Bool { isWanted && !isInterrupted && item?.status != .failed }

    func resume() { if mayPlay { player.rate = rate } }

    /// Restarts with a new item, if there was a playable one.
    func renew() { if performance != nil { begin(from: place) } }

    private func begin(from place: Duration) {
        performance?.cancel()
        target = nil
        performance = Task { await perform(from: place) }
    }

    private func perform(from place: Duration) async {
        var (place, retries) = (place, Retries())
        while !Task.isCancelled {
            let (item, news) = (PlayerItem(url: urls[index], startingAt: place), player.notifications)
            self.item = item
            player.replaceCurrentItem(with: item)
            resume()
            let outcome = await outcome(of: item, news)
            // Another playback has begun.
            if Task.isCancelled { return }
            switch outcome {
            case .ended? where index + 1 < urls.count:
                (index, place, target, retries) = (index + 1, .zero, nil, Retries())
            case .ended?:
                (index, self.item) = (0, nil)
                return end()
            case .failed?:
                guard isWanted, let pause = retries.pause(at: self.place) else { return end() }
                try? await Task.sleep(for: pause)
                if Task.isCancelled { return }
                (place, target) = (self.place, nil)
            case nil: return
            }
        }
    }

    private func end() { (isWanted, performance) = (false, nil) }

    private func outcome(of item: PlayerItem, _ news: AsyncStream<PlayerNotification>) async -> Outcome? {
        for await news in news {
            switch news {
            case .itemReadyToPlay(let ready) where ready === item: Task { await go() }
            case .itemDidPlayToEndTime(let ended) where ended === item: return .ended
            case .itemFailed(let failed) where failed === item: return .failed
            default: break
            }
        }
        return nil
    }

    private func go() async {
        guard let item, item.status == .readyToPlay, let target else { return }
        if await player.seek(to: target), item === self.item, target == self.target { self.target = nil }
    }
}
