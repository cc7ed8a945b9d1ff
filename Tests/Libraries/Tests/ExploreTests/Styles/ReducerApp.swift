import SeguePlayer

/// An app as a state machine: an event changes the state, and returns the effects to perform.
final class ReducerApp: Controller {
    enum Event {
        case play, pause, next, previous, ready, ended, failed, retry, reset
        case choose(Int), seek(Duration), away(Bool), call(Bool), callEnded(Bool)
        case unplugged, progressed
    }

    enum Effect {
        case load(Duration), start, stop, land, retry(after: Duration), forgetRetry
    }

    struct State {
        var index = 0
        var isWanted = false
        var isInCall = false
        var isAway = false
        var isLoaded = false
        var isReady = false
        var hasEnded = false
        var target: Duration?
        var failures = 0
    }

    let player: QueuePlayer
    private let urls: [String]
    private let manner: Manner
    private let hold: BackgroundHold
    private var state = State()
    private var item: PlayerItem?
    private var rate = 1.0
    private var status = QueuePlayer.TimeControlStatus.paused
    private var retry: Task<Void, Never>?
    private var observations: [Observation] = []

    init(_ world: World, _ urls: [String], _ manner: Manner = Manner()) {
        (player, self.urls, self.manner) = (world.player, urls, manner)
        hold = BackgroundHold(world.device)
        player.actionAtItemEnd = .pause
        // Old audio is not what the listener of a station wants.
        if manner.isRadio { player.preferredForwardBufferDuration = .seconds(10) }
        observations = [
            player.observe { [weak self] in self?.hear($0) }, world.device.observe { [weak self] in self?.hear($0) },
            player.addPeriodicTimeObserver(forInterval: .seconds(10)) { [weak self] place in
                if place > .zero { self?.send(.progressed) }
            },
        ]
    }

    // MARK: The machine

    private func reduce(_ event: Event) -> [Effect] {
        switch event {
        case .play:
            (state.isWanted, state.isInCall) = (true, false)
            if !manner.has(.backoffNeverReset) { state.failures = 0 }
            if state.hasEnded { return begin(manner.isRadio || manner.repeats || !manner.advances ? state.index : 0) }
            return state.isLoaded ? [.forgetRetry, .start] : [.load(place)]
        case .pause:
            state.isWanted = false
            return [.forgetRetry, .stop]
        case .choose(let index):
            state.isWanted = true
            return begin(index)
        case .next: return state.index + 1 < urls.count ? begin(state.index + 1) : []
        case .previous:
            return state.index > 0 && place < .seconds(3) ? begin(state.index - 1) : reduce(.seek(.zero))
        case .seek(let place):
            guard state.isReady || !manner.has(.losesEarlySeek) else { return [] }
            (state.target, state.hasEnded) = (place, false)
            return state.isReady ? [.land] : []
        case .ready:
            state.isReady = true
            if manner.isRadio, !manner.has(.backoffNeverReset) { state.failures = 0 }
            return state.target == nil ? [] : [.land]
        case .progressed:
            if status == .playing, !manner.has(.backoffNeverReset) { state.failures = 0 }
            return []
        case .ended: return end()
        case .failed: return fail()
        case .retry: return [.load(place)]
        case .reset:
            let isOver = state.isInCall
            state.isInCall = false
            if isOver { state.isWanted = false }
            guard state.isLoaded, !state.hasEnded else { return [] }
            return [.load(place)]
        case .away(let isAway):
            state.isAway = isAway
            return state.isLoaded ? [.start] : []
        case .call(let isOn):
            state.isInCall = isOn
            return []
        case .callEnded(let shouldResume):
            if manner.has(.resumesWhatWasPaused), shouldResume { state.isWanted = true }
            if shouldResume, state.isWanted { return reduce(.play) }
            (state.isInCall, state.isWanted) = (false, false)
            return [.forgetRetry]
        case .unplugged:
            state.isWanted = false
            return [.forgetRetry]
        }
    }

    private func begin(_ index: Int) -> [Effect] {
        (state.index, state.failures) = (index, manner.has(.backoffNeverReset) ? state.failures : 0)
        return manner.has(.loadsTwice) ? [.load(.zero), .load(.zero)] : [.load(.zero)]
    }

    private func end() -> [Effect] {
        if manner.isRadio || manner.repeats { return begin(state.index) }
        if manner.advances, state.index + 1 < urls.count {
            return begin(min(state.index + (manner.has(.countsTwice) ? 2 : 1), urls.count - 1))
        }
        (state.isWanted, state.hasEnded) = (false, true)
        return []
    }

    private func fail() -> [Effect] {
        (state.isLoaded, state.isReady) = (false, false)
        guard state.isWanted, let delay = manner.delay(after: state.failures) else {
            state.isWanted = false
            return []
        }
        state.failures += 1
        return [.retry(after: delay)]
    }

    // MARK: Effects

    private var place: Duration { state.target ?? (item == nil ? .zero : player.currentTime) }

    private func send(_ event: Event) {
        for effect in reduce(event) { perform(effect) }
        holdIfNeeded()
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .load(let place):
            retry?.cancel()
            (state.isLoaded, state.isReady, state.hasEnded, state.target) = (true, false, false, nil)
            let item = PlayerItem(url: urls[state.index], startingAt: place)
            self.item = item
            player.replaceCurrentItem(with: item)
            start(isNew: true)
        case .start: start(isNew: false)
        case .stop: player.pause()
        case .land: Task { await land() }
        case .retry(let time):
            retry?.cancel()
            retry = Task {
                try? await Task.sleep(for: time)
                if !Task.isCancelled { send(.retry) }
            }
        case .forgetRetry: retry?.cancel()
        }
    }

    private func start(isNew: Bool) {
        guard state.isWanted, !state.isInCall, item?.status != .failed else { return }
        player.rate = isNew && manner.has(.forgetsRate) ? 1 : rate
    }

    private func land() async {
        guard let item, item.status == .readyToPlay, let target = state.target else { return }
        guard await player.seek(to: target), item === self.item, target == state.target else { return }
        state.target = nil
        if manner.has(.playsAfterSeek) { player.rate = rate }
    }

    private func holdIfNeeded() {
        guard state.isAway, state.isWanted else { return hold.end() }
        if status == .playing { hold.release() } else { hold.begin() }
    }

    // MARK: Events

    private func hear(_ news: PlayerNotification) {
        switch news {
        case .itemReadyToPlay(let item) where item === self.item: send(.ready)
        case .itemDidPlayToEndTime(let item) where item === self.item: send(.ended)
        case .itemFailed(let item) where item === self.item: send(.failed)
        case .timeControlStatusChanged(let status):
            self.status = status
            holdIfNeeded()
        default: break
        }
    }

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .interruptionBegan: send(.call(true))
        case .interruptionEnded(let shouldResume): send(.callEnded(shouldResume))
        case .mediaServicesWereReset: send(.reset)
        case .didEnterBackground: send(.away(true))
        case .didBecomeActive: send(.away(false))
        case .backgroundTaskExpired: hold.end()
        case .routeChanged:
            // The platform has paused it, since the headphones are gone.
            if status != .paused, player.rate == 0, state.isWanted, !state.isInCall { send(.unplugged) }
        case .willResignActive, .willEnterForeground, .didReceiveMemoryWarning, .powerStateDidChange: break
        }
    }

    // MARK: The user

    func play() {
        if manner.has(.hangs), item != nil, item?.status == .unknown {
            Task { while item?.status == .unknown { await Task.yield() } }
        }
        send(.play)
    }
    func pause() { send(.pause) }
    func next() { send(.next) }
    func previous() { send(.previous) }
    func choose(_ index: Int) { send(.choose(index)) }
    func seek(to place: Duration) { send(.seek(place)) }
    func setRate(_ rate: Double) {
        self.rate = rate
        if player.rate > 0 { player.rate = rate }
    }

    func offer(to user: User) { offerEverything(urls, isRadio: manner.isRadio, to: user) }
}
