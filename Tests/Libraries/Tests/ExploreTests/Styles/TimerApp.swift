import Dispatch
import SeguePlayer

/// An app of callbacks: closures that a newer load makes obsolete, and timers of the main queue.
final class TimerApp: Controller {
    let player: QueuePlayer
    private let urls: [String]
    private let manner: Manner
    private let hold: BackgroundHold
    /// The number of loads, by which a closure knows whether it is obsolete.
    private var generation = 0
    private var index = 0
    private var item: PlayerItem?
    private var wants = false
    private var isInCall = false
    private var isAway = false
    private var hasEnded = false
    private var rate = 1.0
    private var target: Duration?
    private var failures = 0
    private var observations: [Observation] = []

    init(_ world: World, _ urls: [String], _ manner: Manner = Manner()) {
        (player, self.urls, self.manner) = (world.player, urls, manner)
        hold = BackgroundHold(world.device)
        player.actionAtItemEnd = .pause
        // Old audio is not what the listener of a station wants.
        if manner.isRadio { player.preferredForwardBufferDuration = .seconds(10) }
        observations = [
            player.observe { [weak self] in self?.hear($0) }, world.device.observe { [weak self] in self?.hear($0) },
        ]
    }

    private var place: Duration { target ?? (item == nil ? .zero : player.currentTime) }
    private var status: QueuePlayer.TimeControlStatus = .paused

    /// Calls a closure later, unless another title is loaded until then.
    private func later(_ milliseconds: Int, _ body: @escaping @MainActor () -> Void) {
        let generation = generation
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            MainActor.assumeIsolated { if self?.generation == generation { body() } }
        }
    }

    // MARK: Titles

    private func load(_ index: Int, from place: Duration = .zero) {
        generation += 1
        (self.index, target, hasEnded) = (index, nil, false)
        let item = PlayerItem(url: urls[index], startingAt: place)
        self.item = item
        player.replaceCurrentItem(with: item)
        if manner.has(.loadsTwice) {
            later(30) { [self] in
                let again = PlayerItem(url: item.url, startingAt: place)
                self.item = again
                player.replaceCurrentItem(with: again)
                start()
            }
        }
        start()
        holdIfNeeded()
        // Ten seconds of the title reset the delay of retries.
        if !manner.has(.backoffNeverReset) { count(10) }
    }

    private func count(_ seconds: Int) {
        later(1000) { [self] in
            let left = status == .playing ? seconds - 1 : seconds
            if left == 0 { failures = 0 }
            if left > 0 { count(left) }
        }
    }

    private func start() {
        if wants, !isInCall, item?.status != .failed { player.rate = rate }
    }

    private func finished() {
        if manner.isRadio || manner.repeats { return load(index) }
        if manner.advances, index + 1 < urls.count { return load(index + 1) }
        (wants, hasEnded) = (false, true)
        holdIfNeeded()
    }

    private func failed() {
        guard wants, let delay = manner.delay(after: failures) else { return giveUp() }
        failures += 1
        let place = place
        later(Int(delay / .milliseconds(1))) { [self] in if wants { load(index, from: place) } }
    }

    private func giveUp() {
        wants = false
        hold.end()
    }

    private func land() {
        guard let item, item.status == .readyToPlay, let target else { return }
        Task {
            guard item === self.item, item.status == .readyToPlay, target == self.target else { return }
            guard await player.seek(to: target), item === self.item, target == self.target else { return }
            self.target = nil
            if manner.has(.playsAfterSeek) { player.rate = rate }
        }
    }

    private func holdIfNeeded() {
        guard isAway, wants else { return hold.end() }
        if status == .playing { hold.release() } else { hold.begin() }
    }

    // MARK: Events

    private func hear(_ news: PlayerNotification) {
        switch news {
        case .itemReadyToPlay(let item) where item === self.item: land()
        case .itemDidPlayToEndTime(let item) where item === self.item:
            if manner.has(.countsTwice), manner.advances, index + 1 < urls.count { index += 1 }
            finished()
        case .itemFailed(let item) where item === self.item: failed()
        case .timeControlStatusChanged(let status):
            self.status = status
            holdIfNeeded()
        default: break
        }
    }

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .interruptionBegan: isInCall = true
        case .interruptionEnded(let shouldResume):
            isInCall = false
            if shouldResume, wants || manner.has(.resumesWhatWasPaused) && item != nil { play() } else { giveUp() }
        case .mediaServicesWereReset:
            if isInCall { giveUp() }
            isInCall = false
            if item != nil, !hasEnded { load(index, from: place) }
        case .routeChanged: if status != .paused, player.rate == 0, wants, !isInCall { giveUp() }
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
        (wants, isInCall) = (true, false)
        if !manner.has(.backoffNeverReset) { failures = 0 }
        if hasEnded { return load(manner.advances && !manner.repeats && !manner.isRadio ? 0 : index) }
        if let item, item.status != .failed { start() } else { load(index, from: place) }
    }

    func pause() {
        wants = false
        player.pause()
        hold.end()
        if manner.has(.hangs), isInCall { DispatchQueue.main.sync {} }
    }

    func choose(_ index: Int) {
        wants = true
        load(index)
    }

    func next() { if index + 1 < urls.count { load(index + 1) } }
    func previous() { if index > 0, place < .seconds(3) { load(index - 1) } else { seek(to: .zero) } }

    func seek(to place: Duration) {
        if manner.has(.losesEarlySeek), item?.status != .readyToPlay { return }
        (target, hasEnded) = (place, false)
        land()
    }

    func setRate(_ rate: Double) {
        self.rate = rate
        if player.rate > 0 { player.rate = rate }
    }

    func offer(to user: User) { offerEverything(urls, isRadio: manner.isRadio, to: user) }
}
