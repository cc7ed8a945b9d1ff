import SeguePlayer

/// An app that gives its player the whole list, and follows the player through it.
final class QueueApp: Controller {
    let player: QueuePlayer
    private let urls: [String]
    private let manner: Manner
    private let hold: BackgroundHold
    /// The items in the player's queue, with their places in the list.
    private var queued: [(item: PlayerItem, index: Int)] = []
    private var index = 0
    private var isWanted = false
    private var isInCall = false
    private var isAway = false
    private var hasEnded = false
    private var failures = 0
    private var status = QueuePlayer.TimeControlStatus.paused
    private var retry: Task<Void, Never>?
    private var observations: [Observation] = []

    init(_ world: World, _ urls: [String], _ manner: Manner = Manner()) {
        (player, self.urls, self.manner) = (world.player, urls, manner)
        hold = BackgroundHold(world.device)
        player.actionAtItemEnd = manner.advances ? .advance : .pause
        observations = [
            player.observe { [weak self] in self?.hear($0) }, world.device.observe { [weak self] in self?.hear($0) },
        ]
    }

    private var current: PlayerItem? { queued.first?.item }

    private var place: Duration { current == nil ? .zero : player.currentTime }

    // MARK: The queue

    private func fill(from index: Int, at place: Duration = .zero) {
        retry?.cancel()
        (self.index, hasEnded, queued) = (index, false, [])
        player.removeAllItems()
        var indices = Array(manner.advances ? index..<urls.count : index..<index + 1)
        if manner.has(.loadsTwice) { indices.insert(index, at: 0) }
        for (number, index) in indices.enumerated() {
            let item = PlayerItem(url: urls[index], startingAt: number == 0 ? place : .zero)
            queued.append((item, index))
            player.insert(item)
        }
        start()
        holdIfNeeded()
    }

    private func start() {
        if isWanted, !isInCall, let current, current.status != .failed { player.play() }
    }

    private func hear(_ news: PlayerNotification) {
        switch news {
        case .currentItemChanged(let item?): advance(to: item)
        case .itemDidPlayToEndTime(let item): ended(item)
        case .itemFailed(let item): failed(item)
        case .timeControlStatusChanged(let status):
            self.status = status
            if status == .playing, !manner.has(.backoffNeverReset) { failures = 0 }
            holdIfNeeded()
        default: break
        }
    }

    private func advance(to item: PlayerItem) {
        guard let position = queued.firstIndex(where: { $0.item === item }), position > 0 else { return }
        queued.removeFirst(position)
        index = queued[0].index
        if manner.has(.countsTwice) { index = min(index + 1, urls.count - 1) }
        start()
    }

    private func ended(_ item: PlayerItem) {
        guard queued.last?.item === item else { return }
        if manner.repeats { return fill(from: 0) }
        if manner.advances, let last = queued.last, last.index + 1 < urls.count { return fill(from: last.index + 1) }
        (isWanted, hasEnded, queued) = (false, true, [])
        player.pause()
        holdIfNeeded()
    }

    private func failed(_ item: PlayerItem) {
        guard item === current else {
            guard let position = queued.firstIndex(where: { $0.item === item }) else { return }
            // The rest of the list is filled again when this point is reached.
            for (item, _) in queued[position...] { player.remove(item) }
            return queued.removeSubrange(position...)
        }
        let (place, index) = (place, queued[0].index)
        guard isWanted, let delay = manner.delay(after: failures) else { return giveUp() }
        failures += 1
        retry?.cancel()
        retry = Task {
            try? await Task.sleep(for: delay)
            if !Task.isCancelled { fill(from: index, at: place) }
        }
    }

    private func giveUp() {
        isWanted = false
        retry?.cancel()
        hold.end()
    }

    private func holdIfNeeded() {
        guard isAway, isWanted else { return hold.end() }
        if status == .playing { hold.release() } else { hold.begin() }
    }

    // MARK: The device

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .interruptionBegan: isInCall = true
        case .interruptionEnded(let shouldResume):
            isInCall = false
            if shouldResume, isWanted || manner.has(.resumesWhatWasPaused) { play() } else { giveUp() }
        case .mediaServicesWereReset:
            if isInCall { giveUp() }
            isInCall = false
            if let first = queued.first { fill(from: first.index, at: place) }
        case .didEnterBackground: move(away: true)
        case .didBecomeActive: move(away: false)
        case .backgroundTaskExpired: hold.end()
        case .routeChanged: if status != .paused, player.rate == 0, isWanted, !isInCall { giveUp() }
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
        if hasEnded { return fill(from: manner.advances ? 0 : index) }
        if let current, current.status != .failed { start() } else { fill(from: index, at: place) }
    }

    func pause() {
        isWanted = false
        retry?.cancel()
        player.pause()
        hold.end()
    }

    func next() { if index + 1 < urls.count { fill(from: index + 1) } }
    func previous() { fill(from: place < .seconds(3) ? max(0, index - 1) : index) }

    func choose(_ index: Int) {
        isWanted = true
        fill(from: index)
    }

    func offer(to user: User) {
        offerPlaying(to: user)
        offerList(urls.map { [$0] }, to: user)
    }
}
