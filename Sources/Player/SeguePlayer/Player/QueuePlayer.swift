internal import SeguePlayerModel
internal import SegueTime

/// A player with a queue of items.
///
/// Members that AVFoundation has as well behave according to its documentation.
@MainActor public final class QueuePlayer {
    /// The status of a player.
    public enum TimeControlStatus: Sendable, Equatable {
        /// The player is paused.
        case paused
        /// The player waits for ``QueuePlayer/reasonForWaitingToPlay``.
        case waitingToPlayAtSpecifiedRate
        /// The player is playing.
        case playing

        init(_ control: TimeControl) {
            switch control {
            case .paused: self = .paused
            case .waiting: self = .waitingToPlayAtSpecifiedRate
            case .playing: self = .playing
            }
        }
    }

    /// A reason to wait.
    public enum WaitingReason: String, Sendable {
        /// There is no item.
        case noItemToPlay
        /// The loading speed of the item is not known yet.
        case evaluatingBufferingRate
        /// Too little is buffered to continue without a stall.
        case toMinimizeStalls
        /// The platform has not begun to play the item yet.
        case mediaService
        /// An interstitial plays in place of the item.
        case interstitialEvent
    }

    /// The action at the end of the current item.
    public enum ActionAtItemEnd: String, Sendable {
        /// The next item starts.
        case advance
        /// The player pauses at the end of the item.
        case pause
        /// The item stays. Depending on the platform, the rate stays as it is, or becomes 0.
        case none
    }

    let engine: PlayerEngine
    private let listeners = Listeners<PlayerNotification>()
    private var known: [ItemID: PlayerItem] = [:]
    private var seeks: [SeekID: CheckedContinuation<Bool, Never>] = [:]
    private let times: TimeObservers

    /// The observers of its properties.
    let observed = ObservedValues()

    init(_ engine: PlayerEngine, _ schedule: VirtualSchedule) {
        self.engine = engine
        times = TimeObservers(engine, schedule)
        observed.wasAdded = { engine.isObserved = true }
    }

    private var model: SeguePlayerModel.QueuePlayer { engine.session.player }

    var observers: Int { listeners.number + times.number + observed.number }

    /// Reports every property of the player and its items that has changed.
    func lookAtValues() {
        guard !engine.session.isSuspended else { return }
        observed.look()
        for id in known.keys.sorted() { known[id]?.observed.look() }
        engine.isObserved = observed.number > 0 || known.values.contains { $0.observed.number > 0 }
    }

    // MARK: The queue

    /// The items of the queue, the current one first.
    public var items: [PlayerItem] { model.items.compactMap { known[$0.id] } }

    /// The current item.
    public var currentItem: PlayerItem? { items.first }

    /// Inserts an item into the queue.
    ///
    /// An item that is already in the queue is refused, as an exception of the app, like in AVFoundation. An item of
    /// another player is refused as well.
    ///
    /// - Parameters:
    ///   - other: The item to insert it after; nil appends it.
    /// - Returns: True if it was accepted.
    @discardableResult
    public func insert(_ item: PlayerItem, after other: PlayerItem? = nil) -> Bool {
        insert(item, at: other?.id.map { .behind($0) } ?? .last)
    }

    func insert(_ item: PlayerItem, at place: NewItem.Place) -> Bool {
        let before = Set(model.items.map(\.id))
        if let id = item.id { return insertAgain(item, as: id, at: place, queued: before) }
        var new = NewItem(url: item.url, startingAt: item.start, isExact: item.startsExactly, place: place)
        new.headers = item.headers
        engine.send(.insertItem(new))
        guard let id = model.items.map(\.id).first(where: { !before.contains($0) }) else { return false }
        item.isTaken(as: id, by: engine)
        known[id] = item
        return true
    }

    /// Inserts an item that was in the queue before, if it belongs to this player and is not in the queue.
    private func insertAgain(
        _ item: PlayerItem,
        as id: ItemID,
        at place: NewItem.Place,
        queued before: Set<ItemID>
    ) -> Bool {
        guard item.isOf(engine) else { return false }
        switch place {
        case .last: engine.send(.insertAgain(id, after: nil))
        case .behind(let other), .following(let other): engine.send(.insertAgain(id, after: other))
        case .current:
            engine.send(.insertAgain(id, after: currentItem?.id))
            if !before.isEmpty, !before.contains(id) { advanceToNextItem() }
        }
        return !before.contains(id) && (place == .current || model.items.contains { $0.id == id })
    }

    /// Removes an item from the queue.
    ///
    /// The next item replaces a removed current item.
    ///
    /// - Parameter item: The item; one that is not in the queue has no effect.
    public func remove(_ item: PlayerItem) { if let id = item.id { engine.send(.remove(id)) } }

    /// Removes all items.
    public func removeAllItems() { engine.send(.removeAll) }

    /// Advances to the next item at the same rate.
    public func advanceToNextItem() { engine.send(.advance) }

    /// Replaces the current item at the same rate.
    ///
    /// An app with a movie player recreates its player, which fails on some platforms.
    ///
    /// - Parameter item: The item; nil removes the current item, and the current item itself has no effect.
    public func replaceCurrentItem(with item: PlayerItem?) {
        guard let item else {
            if let currentItem { remove(currentItem) }
            return
        }
        if item !== currentItem { _ = insert(item, at: .current) }
    }

    // MARK: Playing

    /// Plays at the normal or the default rate.
    public func play() { engine.send(.play) }

    /// Pauses at the current position.
    public func pause() { engine.send(.pause) }

    /// Plays without waiting for the buffer.
    public func playImmediately() { engine.send(.playImmediately) }

    /// The rate: 0 is paused, and 1 is normal.
    ///
    /// A negative value pauses.
    public var rate: Double {
        get { model.rate }
        set { engine.send(.setRate(newValue)) }
    }

    /// The status of the player.
    public var timeControlStatus: TimeControlStatus { TimeControlStatus(model.timeControl) }

    /// The reason to wait; nil while the player does not wait.
    public var reasonForWaitingToPlay: WaitingReason? {
        guard case .waiting(let reason) = model.timeControl else { return nil }
        return WaitingReason(rawValue: reason.rawValue)
    }

    /// The position in the current item; zero without one.
    public var currentTime: Duration { engine.position }

    /// Moves the playhead of the current item.
    ///
    /// - Parameters:
    ///   - time: The position, from the beginning of the item.
    ///   - before: The tolerance before it; nil for any distance.
    ///   - after: The tolerance after it; nil for any distance.
    /// - Returns: True if it finished, without another seek or item intervening.
    @discardableResult
    public func seek(
        to time: Duration,
        toleranceBefore before: Duration? = .zero,
        toleranceAfter after: Duration? = .zero
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            let number = model.seeks
            engine.send(.seek(to: time, toleranceBefore: before, toleranceAfter: after))
            guard model.seeks > number else { return continuation.resume(returning: false) }
            let id = SeekID(number: model.seeks)
            // The result is reported after this.
            seeks[id] = continuation
        }
    }

    /// Cancels the seek in progress.
    ///
    /// The playhead stays where it is.
    public func cancelPendingSeeks() { engine.send(.cancelSeeks) }

    // MARK: Settings

    /// The action at the end of the current item.
    public var actionAtItemEnd: ActionAtItemEnd {
        get { ActionAtItemEnd(rawValue: model.settings.actionAtItemEnd.rawValue) ?? .advance }
        set {
            if let action = SeguePlayerModel.QueuePlayer.EndAction(rawValue: newValue.rawValue) {
                engine.send(.setActionAtItemEnd(action))
            }
        }
    }

    /// True if the player waits until playback is likely to continue without a stall.
    public var automaticallyWaitsToMinimizeStalling: Bool {
        get { model.settings.waitsToMinimizeStalls }
        set { engine.send(.setWaitsToMinimizeStalls(newValue)) }
    }

    /// The maximum bit rate of variants, in bits per second; 0 for no limit.
    public var preferredPeakBitRate: Int {
        get { model.settings.peakBitrate }
        set { engine.send(.setPeakBitrate(newValue)) }
    }

    /// The buffer to maintain, as a duration of media; zero leaves it to the platform.
    public var preferredForwardBufferDuration: Duration {
        get { model.settings.forwardBuffer }
        set { engine.send(.setForwardBuffer(newValue)) }
    }

    // MARK: Notifications

    /// The notifications from now on.
    public var notifications: AsyncStream<PlayerNotification> { listeners.stream() }

    /// Calls a closure for each notification.
    ///
    /// - Returns: An observation, which need not be kept; cancel it to stop.
    public func observe(_ closure: @escaping @MainActor (PlayerNotification) -> Void) -> Observation {
        listeners.add(closure)
    }

    /// Calls a closure with the position at each multiple of an interval of the item's time, when playback begins or
    /// ends, and when the playhead jumps.
    ///
    /// - Parameters:
    ///   - interval: The interval, at least a millisecond.
    ///   - closure: The closure, which receives the position in the current item.
    /// - Returns: An observation, which need not be kept; cancel it to stop.
    public func addPeriodicTimeObserver(
        forInterval interval: Duration,
        using closure: @escaping @MainActor (Duration) -> Void
    ) -> Observation {
        times.add(every: interval, closure)
    }

    /// Calls a closure when the playhead passes one of several times of the item.
    ///
    /// - Parameters:
    ///   - times: The times, in any order.
    /// - Returns: An observation, which need not be kept; cancel it to stop.
    public func addBoundaryTimeObserver(
        forTimes times: [Duration],
        using closure: @escaping @MainActor () -> Void
    ) -> Observation {
        self.times.add(at: times, closure)
    }

    func handle(_ notice: PlayerNotice) {
        defer { if notice.movesPlayhead { times.change() } }
        switch notice {
        case .itemReady(let id): notify(id, PlayerNotification.itemReadyToPlay)
        case .itemFailed(let id), .itemShowsFailure(let id): notify(id, PlayerNotification.itemFailed)
        case .itemPlayedToEnd(let id): notify(id, PlayerNotification.itemDidPlayToEndTime)
        case .itemFailedToPlayToEnd(let id): notify(id, PlayerNotification.itemFailedToPlayToEndTime)
        case .itemStalled(let id): notify(id, PlayerNotification.itemPlaybackStalled)
        case .itemTimeJumped(let id): notify(id, PlayerNotification.itemTimeJumped)
        case .currentItem(let id): listeners.notify(.currentItemChanged(id.flatMap { known[$0] }))
        case .timeControl(let control): listeners.notify(.timeControlStatusChanged(TimeControlStatus(control)))
        case .seekEnded(let id, let isFinished): seeks.removeValue(forKey: id)?.resume(returning: isFinished)
        }
    }

    private func notify(_ id: ItemID, _ notification: (PlayerItem) -> PlayerNotification) {
        if let item = known[id] { listeners.notify(notification(item)) }
    }
}

extension PlayerNotice {
    /// True if the playhead starts, stops, or jumps with it.
    fileprivate var movesPlayhead: Bool {
        switch self {
        case .timeControl, .itemTimeJumped, .currentItem, .seekEnded: true
        case .itemReady, .itemFailed, .itemShowsFailure, .itemPlayedToEnd, .itemFailedToPlayToEnd, .itemStalled: false
        }
    }
}
