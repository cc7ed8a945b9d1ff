import SeguePlayer

/// A deck on a device with calls, headphones, and other apps.
@MainActor class PhoneDeck: Deck {
    let device: Device
    let hold: BackgroundHold
    var isInterrupted = false
    var isAway = false
    /// The last reported status of the player.
    var status = QueuePlayer.TimeControlStatus.paused
    private var observation: Observation?

    override init(_ world: World, _ urls: [String]) {
        device = world.device
        hold = BackgroundHold(world.device)
        super.init(world, urls)
        observation = device.observe { [weak self] in self?.hear($0) }
    }

    override var mayPlay: Bool { super.mayPlay && !isInterrupted }

    /// The platform plays nothing during a call, so it is left to decide.
    override func play() {
        isInterrupted = false
        super.play()
    }

    override func pause() {
        super.pause()
        hold.end()
    }

    override func load(from place: Duration = .zero) {
        super.load(from: place)
        changed()
    }

    override func giveUp() {
        super.giveUp()
        hold.end()
    }

    override func hear(_ news: PlayerNotification) {
        super.hear(news)
        guard case .timeControlStatusChanged(let status) = news else { return }
        self.status = status
        changed()
    }

    /// Holds a background task while playback is expected but has not begun.
    func changed() {
        guard isAway, isWanted else { return hold.end() }
        if status == .playing { hold.release() } else { hold.begin() }
    }

    private func hear(_ news: DeviceNotification) {
        switch news {
        case .interruptionBegan: interruptionBegan()
        case .interruptionEnded(let shouldResume): interruptionEnded(shouldResume)
        case .routeChanged: routeChanged()
        case .mediaServicesWereReset: servicesWereReset()
        case .willResignActive: leaves()
        case .didEnterBackground:
            isAway = true
            left()
        case .didBecomeActive:
            isAway = false
            cameBack()
        case .backgroundTaskExpired: hold.end()
        case .willEnterForeground, .didReceiveMemoryWarning, .powerStateDidChange: break
        }
    }

    func interruptionBegan() { isInterrupted = true }

    func interruptionEnded(_ shouldResume: Bool) {
        isInterrupted = false
        if shouldResume, isWanted { play() } else { giveUp() }
    }

    /// If it was playing until then, the platform has paused it because the headphones were removed.
    func routeChanged() { if status != .paused, player.rate == 0, mayPlay { giveUp() } }

    /// The player's items are unusable, and an interruption in progress has no end.
    func servicesWereReset() {
        if isInterrupted { giveUp() }
        isInterrupted = false
        if item != nil, !hasEnded { load(from: place) }
    }

    func leaves() {}

    func left() {
        resume()
        changed()
    }

    func cameBack() {
        resume()
        changed()
    }
}
