internal import SegueBase

/// Whether the player plays: what the app and the platform want of it, and what it waits for.
struct Drive: Sendable {
    /// The rate as the app reads it.
    private(set) var rate = 0.0

    /// Whether it plays, and what it waits for.
    private(set) var timeControl = TimeControl.paused

    /// When playing was first wished for since the player last paused; nil when it is not.
    private(set) var wishedAt: Instant?

    /// Whether the platform holds it paused, whatever ``rate`` reads.
    private(set) var isHeldByPlatform = false

    /// Whether it does not wait for enough to be buffered this time.
    var isImmediate = false

    /// Whether it waits as after a stall.
    var isStalling = false

    var gate = PlayGate()

    // MARK: What is wanted

    /// Takes in a rate as the app sets it, and lets go of what the platform held.
    ///
    /// - Returns: Whether the rate as read has changed.
    mutating func set(rate: Double, at now: Instant) -> Bool {
        if rate > 0, wishedAt == nil { wishedAt = now }
        if rate == 0 {
            wishedAt = nil
            gate.close()
            isImmediate = false
            isStalling = false
        }
        isHeldByPlatform = false
        return read(as: rate)
    }

    /// The platform pauses it; the rate reads another from then on.
    ///
    /// - Returns: Whether it has changed.
    mutating func hold(reading rate: Double?) -> Bool {
        gate.close()
        isHeldByPlatform = true
        return rate.map { read(as: $0) } ?? false
    }

    private mutating func read(as rate: Double) -> Bool {
        guard rate != self.rate else { return false }
        self.rate = rate
        return true
    }

    /// Another item is the current one.
    mutating func begin(follows: Bool) {
        gate.close(follows: follows)
        isHeldByPlatform = false
        isImmediate = false
        isStalling = false
    }

    /// The playhead runs: what held it up is over.
    mutating func run() {
        isImmediate = false
        isStalling = false
    }

    /// Asks for leave to play an item, where it is to be played.
    mutating func request(_ item: PlayerItem) {
        if rate > 0, !isHeldByPlatform, !item.isFailed { gate.request(item.id) }
    }

    // MARK: What is so

    /// Notes what the player does now.
    ///
    /// - Returns: Whether that is news.
    mutating func become(_ control: TimeControl) -> Bool {
        guard control != timeControl else { return false }
        timeControl = control
        return true
    }

    /// What the player is to do with its current item.
    ///
    /// - Parameters:
    ///   - item: The item that plays, or would; nil for none.
    ///   - current: The item that leave is asked for.
    ///   - isRunning: Whether the playhead runs.
    ///   - waits: Whether it waits until playback is likely to go on without a stall.
    ///   - resumesWith: How much has to be buffered after a stall.
    ///   - now: The present.
    /// - Returns: What it is to do.
    func wanted(
        of item: PlayerItem?,
        allowedFor current: ItemID? = nil,
        isRunning: Bool,
        waits: Bool,
        resumesWith: Duration,
        at now: Instant
    ) -> TimeControl {
        guard rate > 0, !isHeldByPlatform else { return .paused }
        guard let item else { return .waiting(.noItemToPlay) }
        guard !item.isFailed else { return .paused }
        if isRunning || item.hasEnded { return .playing }
        if let reason = reasonToWait(for: item, waits: waits, resumesWith: resumesWith) { return .waiting(reason) }
        return gate.allows(current ?? item.id, at: now) ? .playing : .waiting(.mediaService)
    }

    /// What loading holds playback up; nil when nothing does.
    private func reasonToWait(for item: PlayerItem, waits: Bool, resumesWith: Duration) -> WaitingReason? {
        let loading: WaitingReason =
            isStalling || item.client.isSpeedKnown ? .toMinimizeStalls : .evaluatingBufferingRate
        guard item.status == .readyToPlay, item.seek == nil else { return loading }
        if item.isAtEnd { return nil }
        if item.isBufferEmpty { return loading }
        if isImmediate || !waits { return nil }
        let ahead = item.bufferedEnd - item.position
        // Where nothing more will come, what is there is played.
        let isMoreToCome =
            !item.isBufferFull && !item.client.isLoadedToEnd && !item.client.isCutOff && item.client.failure == nil
        // So near to the end of a live stream no more than that can ever be there.
        let enough = item.client.liveDistance.map { min(resumesWith, $0 / 2) } ?? resumesWith
        if isStalling, ahead < enough, isMoreToCome { return loading }
        return item.isLikelyToKeepUp || item.isBufferFull ? nil : loading
    }
}
