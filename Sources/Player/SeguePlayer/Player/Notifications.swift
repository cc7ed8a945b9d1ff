/// A notification of a player.
public enum PlayerNotification: Sendable {
    /// An item is ready to play.
    case itemReadyToPlay(PlayerItem)
    /// An item has failed.
    case itemFailed(PlayerItem)
    /// An item has played to its end.
    case itemDidPlayToEndTime(PlayerItem)
    /// An item could not be played to its end.
    case itemFailedToPlayToEndTime(PlayerItem)
    /// The buffer of an item ran out during playback.
    case itemPlaybackStalled(PlayerItem)
    /// The playhead of an item jumped.
    case itemTimeJumped(PlayerItem)
    /// The current item changed; nil for none.
    case currentItemChanged(PlayerItem?)
    /// The player began to play or wait, or paused.
    case timeControlStatusChanged(QueuePlayer.TimeControlStatus)
}

/// A notification of a device to an app.
public enum DeviceNotification: Sendable, Equatable {
    /// The app is about to leave the screen, or is about to be interrupted.
    case willResignActive
    /// The app has left the screen.
    case didEnterBackground
    /// The app is about to return to the screen.
    case willEnterForeground
    /// The app is on the screen and active.
    case didBecomeActive
    /// The time for background tasks is over.
    case backgroundTaskExpired
    /// An interruption, such as a call, began.
    case interruptionBegan
    /// The interruption ended. The associated value indicates whether the app should resume playback.
    case interruptionEnded(shouldResume: Bool)
    /// The audio output changed.
    case routeChanged
    /// The media services were restarted. Existing players and items are unusable.
    case mediaServicesWereReset
    /// Memory is low.
    case didReceiveMemoryWarning
    /// Low power mode (``Device/isLowPowerModeEnabled``) was turned on or off.
    case powerStateDidChange
}

/// The listeners for a kind of news, as closures or asynchronous sequences.
@MainActor final class Listeners<News: Sendable> {
    private var closures: [Int: (News) -> Void] = [:]
    private var streams: [Int: AsyncStream<News>.Continuation] = [:]
    private let ended = EndedStreams()
    private var count = 0

    /// The number of listeners.
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

    func notify(_ news: News) {
        // A listener that is added meanwhile receives the next news.
        for number in closures.keys.sorted() { closures[number]?(news) }
        forgetEnded()
        for number in streams.keys.sorted() { streams[number]?.yield(news) }
    }

    private func forgetEnded() {
        for number in ended.drain() { streams[number] = nil }
    }
}

/// An observation, which lasts until it is canceled.
@MainActor public final class Observation {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) { self.end = end }

    /// Ends the observation.
    public func cancel() {
        end?()
        end = nil
    }
}
