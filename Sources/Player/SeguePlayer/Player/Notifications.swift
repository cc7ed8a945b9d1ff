/// Something that a player tells of.
public enum PlayerNotification: Sendable {
    /// An item can be played.
    case itemReadyToPlay(PlayerItem)
    /// An item has failed.
    case itemFailed(PlayerItem)
    /// An item was played to its end.
    case itemDidPlayToEndTime(PlayerItem)
    /// An item could not be played to its end.
    case itemFailedToPlayToEndTime(PlayerItem)
    /// The buffer ran out while an item was played.
    case itemPlaybackStalled(PlayerItem)
    /// An item's playhead jumped.
    case itemTimeJumped(PlayerItem)
    /// Another item is the current one; nil for none.
    case currentItemChanged(PlayerItem?)
    /// The player plays, waits or is paused.
    case timeControlStatusChanged(QueuePlayer.TimeControlStatus)
}

/// Something that a device tells an app of.
public enum DeviceNotification: Sendable, Equatable {
    /// The app is about to leave the screen, or something comes before it.
    case willResignActive
    /// The app has left the screen.
    case didEnterBackground
    /// The app is about to come back to the screen.
    case willEnterForeground
    /// The app is on the screen, and before all else.
    case didBecomeActive
    /// The time is over that the app had asked for.
    case backgroundTaskExpired
    /// Something else took the sound.
    case interruptionBegan
    /// That is over; whether the app should go on.
    case interruptionEnded(shouldResume: Bool)
    /// The sound comes out elsewhere.
    case routeChanged
    /// The media service was started anew: players and items made before are of no use.
    case mediaServicesWereReset
    /// Memory is short.
    case didReceiveMemoryWarning
    /// ``Device/isLowPowerModeEnabled`` has changed.
    case powerStateDidChange
}

/// Those who want to be told of something, each by a closure or by an asynchronous sequence.
@MainActor final class Listeners<News: Sendable> {
    private var closures: [Int: (News) -> Void] = [:]
    private var streams: [Int: AsyncStream<News>.Continuation] = [:]
    private let ended = EndedStreams()
    private var count = 0

    /// How many there are.
    var number: Int {
        forgetEnded()
        return closures.count + streams.count
    }

    func add(_ closure: @escaping (News) -> Void) -> Observation {
        count += 1
        let number = count
        closures[number] = closure
        return Observation { [weak self] in self?.closures[number] = nil }
    }

    func stream() -> AsyncStream<News> {
        count += 1
        let number = count
        let (stream, continuation) = AsyncStream<News>.makeStream()
        streams[number] = continuation
        continuation.onTermination = { [ended] _ in ended.add(number) }
        return stream
    }

    func tell(_ news: News) {
        // Who is added meanwhile is told of what comes next.
        for number in closures.keys.sorted() { closures[number]?(news) }
        forgetEnded()
        for number in streams.keys.sorted() { streams[number]?.yield(news) }
    }

    private func forgetEnded() {
        for number in ended.take() { streams[number] = nil }
    }
}

/// What somebody observes; they are told until it is cancelled.
@MainActor public final class Observation {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) { self.end = end }

    /// Tells them no more.
    public func cancel() {
        end?()
        end = nil
    }
}
