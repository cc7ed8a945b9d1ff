internal import SegueBase

/// The rate and status of a player, which follow from the app, the platform, and the buffer.
struct Drive: Sendable {
    /// The rate as the app reads it.
    private(set) var rate = 0.0

    private(set) var timeControl = TimeControl.paused

    /// The instant of the play command after the last pause; nil while paused.
    private(set) var wishedAt: Instant?

    /// True if the platform holds the player paused, whatever ``rate`` reads.
    private(set) var isHeldByPlatform = false

    /// True if the player does not wait for the buffer this time.
    var isImmediate = false

    /// True if the player waits as after a stall.
    var isStalling = false

    /// The instant at which playback can continue after a seek from the end of an item.
    var restartsAt: Instant?

    var gate = PlayGate()

    // MARK: Intent

    /// Sets the rate, ends a hold by the platform, and returns whether the rate as read has changed.
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

    /// Pauses on behalf of the platform, and returns whether the rate as read has changed.
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

    /// Handles a new current item.
    mutating func begin(_ arrival: PlayGate.Arrival) {
        gate.close(for: arrival)
        restartsAt = nil
        isHeldByPlatform = false
        isImmediate = false
        isStalling = false
    }

    /// Returns whether the playhead stays at the target of a seek from the end.
    func isResting(at now: Instant) -> Bool { restartsAt.map { now < $0 } ?? false }

    /// Handles the start of the playhead, which ends all waiting.
    mutating func run() {
        restartsAt = nil
        isImmediate = false
        isStalling = false
    }

    /// Requests permission to play an item, if it is to be played.
    mutating func request(_ item: PlayerItem) {
        if rate > 0, !isHeldByPlatform, !item.isFailed { gate.request(item.id) }
    }

    // MARK: Status

    /// Sets the status, and returns whether it has changed.
    mutating func become(_ control: TimeControl) -> Bool {
        guard control != timeControl else { return false }
        timeControl = control
        return true
    }

    /// Returns the status that the player should have.
    ///
    /// - Parameters:
    ///   - item: The item on the stage, if any.
    ///   - current: The item that permission is for.
    ///   - isRunning: True if the playhead is running.
    ///   - waits: True if the player waits until playback is likely to continue without a stall.
    ///   - resumesWith: The minimum buffer after a stall.
    /// - Returns: The status.
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

    /// The reason for which loading prevents playback, if any.
    private func reasonToWait(for item: PlayerItem, waits: Bool, resumesWith: Duration) -> WaitingReason? {
        let loading: WaitingReason =
            isStalling || item.client.isSpeedKnown ? .toMinimizeStalls : .evaluatingBufferingRate
        guard item.status == .readyToPlay, item.seek == nil else { return loading }
        if item.isAtEnd { return nil }
        if item.isBufferEmpty { return loading }
        if isImmediate || !waits { return nil }
        let ahead = item.bufferedEnd - item.position
        // If no more media will come, play those that are there.
        let isMoreToCome =
            !item.isBufferFull && !item.client.isLoadedToEnd && !item.client.isCutOff && item.client.failure == nil
        // Near the end of a live stream, no more than that can ever be available.
        let enough = item.client.liveDistance.map { min(resumesWith, $0 / 2) } ?? resumesWith
        if isStalling, ahead < enough, isMoreToCome { return loading }
        return item.isLikelyToKeepUp || item.isBufferFull ? nil : loading
    }
}
