import SeguePlayer

/// An app that compares four times a second what its user wants with what its player does.
final class PollingApp: Controller {
    let player: QueuePlayer
    private let urls: [String]
    private let manner: Manner
    private let hold: BackgroundHold
    private var index = 0
    private var item: PlayerItem?
    private var isWanted = false
    private var isInCall = false
    private var isAway = false
    private var hasEnded = false
    private var wasPlaying = false
    private var rate = 1.0
    private var target: Duration?
    private var failures = 0
    /// The number of ticks until a failed title is loaded again.
    private var ticksToRetry: Int?
    private var ticksHeard = 0
    private var observation: Observation?

    init(_ world: World, _ urls: [String], _ manner: Manner = Manner()) {
        (player, self.urls, self.manner) = (world.player, urls, manner)
        hold = BackgroundHold(world.device)
        player.actionAtItemEnd = .pause
        // Old audio is not what the listener of a station wants.
        if manner.isRadio { player.preferredForwardBufferDuration = .seconds(10) }
        observation = world.device.observe { [weak self] in self?.hear($0) }
        Task { [weak self] in
            while let app = self {
                app.tick()
                try? await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    private var place: Duration { target ?? (item == nil ? .zero : player.currentTime) }

    // MARK: The comparison

    private func tick() {
        let isPlaying = player.timeControlStatus == .playing
        ticksHeard = isPlaying ? ticksHeard + 1 : 0
        if ticksHeard >= 40, !manner.has(.backoffNeverReset) { failures = 0 }
        if let item {
            if item.status == .failed { return lookAtFailure() }
            if item.status == .readyToPlay, let target { land(at: target, in: item) }
            if !hasEnded, target == nil, let end = item.duration, player.currentTime >= end { return ended() }
        }
        holdIfNeeded()
        wasPlaying = isPlaying
    }

    private func lookAtFailure() {
        guard isWanted, !isInCall else { return holdIfNeeded() }
        guard let ticks = ticksToRetry else {
            guard let delay = manner.delay(after: failures) else {
                isWanted = false
                return holdIfNeeded()
            }
            failures += 1
            ticksToRetry = Int(delay / .milliseconds(250))
            return holdIfNeeded()
        }
        ticksToRetry = ticks - 1
        if ticks <= 1 { load(from: place) }
        holdIfNeeded()
    }

    private func ended() {
        if manner.isRadio || manner.repeats { return load() }
        if manner.advances, index + 1 < urls.count {
            index = min(index + (manner.has(.countsTwice) ? 2 : 1), urls.count - 1)
            return load()
        }
        (isWanted, hasEnded) = (false, true)
        holdIfNeeded()
    }

    private func load(from place: Duration = .zero) {
        (target, hasEnded, ticksToRetry) = (nil, false, nil)
        let item = PlayerItem(url: urls[index], startingAt: place)
        self.item = item
        player.replaceCurrentItem(with: item)
        if manner.has(.loadsTwice) { Task { reload(item, at: place) } }
        start()
        holdIfNeeded()
    }

    /// Loads the title once more, for a choice that has been made already.
    private func reload(_ former: PlayerItem, at place: Duration) {
        guard former === self.item else { return }
        let item = PlayerItem(url: former.url, startingAt: place)
        self.item = item
        player.replaceCurrentItem(with: item)
        start()
    }

    private func start() {
        if isWanted, !isInCall, item?.status != .failed { player.rate = rate }
    }

    private func land(at place: Duration, in item: PlayerItem) {
        Task {
            guard item === self.item, item.status == .readyToPlay, target == place else { return }
            let hasLanded = await player.seek(to: place)
            if hasLanded, item === self.item, target == place { target = nil }
        }
    }

    private func holdIfNeeded() {
        guard isAway, isWanted else { return hold.end() }
        if player.timeControlStatus == .playing { hold.release() } else { hold.begin() }
    }

    // MARK: The device

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .interruptionBegan: isInCall = true
        case .interruptionEnded(let shouldResume):
            isInCall = false
            if !shouldResume { isWanted = false } else if manner.has(.resumesWhatWasPaused) { isWanted = item != nil }
            if isWanted { play() }
        case .mediaServicesWereReset:
            if isInCall { isWanted = false }
            isInCall = false
            if item != nil, !hasEnded { load(from: place) }
        case .routeChanged:
            if player.rate == 0, wasPlaying, isWanted, !isInCall { isWanted = false }
        case .didEnterBackground: move(away: true)
        case .didBecomeActive: move(away: false)
        case .backgroundTaskExpired: hold.end()
        case .willResignActive, .willEnterForeground, .didReceiveMemoryWarning, .powerStateDidChange: break
        }
    }

    private func move(away isAway: Bool) {
        self.isAway = isAway
        start()
        holdIfNeeded()
    }

    // MARK: The user

    func play() {
        (isWanted, isInCall) = (true, false)
        if !manner.has(.backoffNeverReset) { failures = 0 }
        if hasEnded {
            if manner.advances, !manner.repeats { index = 0 }
            return load()
        }
        if let item, item.status != .failed { start() } else { load(from: place) }
    }

    func pause() {
        isWanted = false
        player.pause()
        hold.end()
    }

    func choose(_ index: Int) {
        (self.index, isWanted) = (index, true)
        load()
    }

    func next() {
        guard index + 1 < urls.count else { return }
        index += 1
        load()
    }

    func previous() {
        guard index > 0, place < .seconds(3) else { return seek(to: .zero) }
        index -= 1
        load()
    }

    func seek(to place: Duration) {
        if manner.has(.losesEarlySeek), item?.status != .readyToPlay { return }
        (target, hasEnded) = (place, false)
        if let item, item.status == .readyToPlay { land(at: place, in: item) }
    }

    func setRate(_ rate: Double) {
        self.rate = rate
        if player.rate > 0 { player.rate = rate }
    }

    func offer(to user: User) { offerEverything(urls, isRadio: manner.isRadio, to: user) }
}
