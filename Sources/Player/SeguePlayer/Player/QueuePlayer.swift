internal import SeguePlayerModel
internal import SegueTime

/// A player with a queue of items.
///
/// What is called as in AVFoundation's documentation means the same.
@MainActor public final class QueuePlayer {
    /// Whether it plays.
    public enum TimeControlStatus: Sendable, Equatable {
        /// It does not play, and would not.
        case paused
        /// It would play, and waits for what ``QueuePlayer/reasonForWaitingToPlay`` says.
        case waitingToPlayAtSpecifiedRate
        /// It plays.
        case playing

        init(_ control: TimeControl) {
            switch control {
            case .paused: self = .paused
            case .waiting: self = .waitingToPlayAtSpecifiedRate
            case .playing: self = .playing
            }
        }
    }

    /// What it waits for.
    public enum WaitingReason: String, Sendable {
        /// There is no item.
        case noItemToPlay
        /// How fast the item comes is still being found out.
        case evaluatingBufferingRate
        /// Too little is buffered to go on without a stall.
        case toMinimizeStalls
        /// The platform has not begun to play the item yet.
        case mediaService
        /// An interstitial plays in the item's place.
        case interstitialEvent
    }

    /// What happens when the current item has played to its end.
    public enum ActionAtItemEnd: String, Sendable {
        /// The next item begins.
        case advance
        /// The player pauses at the item's end.
        case pause
        /// Nothing: the item stays; the platform has the rate stay as it was, or become 0.
        case none
    }

    let engine: PlayerEngine
    private let listeners = Listeners<PlayerNotification>()
    private var known: [ItemID: PlayerItem] = [:]
    private var seeks: [SeekID: CheckedContinuation<Bool, Never>] = [:]
    private let times: TimeObservers

    /// Those who are told when a property becomes another value.
    let observed = ObservedValues()

    init(_ engine: PlayerEngine, _ schedule: VirtualSchedule) {
        self.engine = engine
        times = TimeObservers(engine, schedule)
        observed.wasAdded = { engine.isObserved = true }
    }

    private var model: SeguePlayerModel.QueuePlayer { engine.session.player }

    /// How many observe it.
    var observers: Int { listeners.number + times.number + observed.number }

    /// Tells of each property, of its own and of its items, that has become another value.
    func lookAtValues() {
        guard !engine.session.isSuspended else { return }
        observed.look()
        for id in known.keys.sorted() { known[id]?.observed.look() }
        engine.isObserved = observed.number > 0 || known.values.contains { $0.observed.number > 0 }
    }

    // MARK: The queue

    /// The items of the queue, the current one first.
    public var items: [PlayerItem] { model.items.compactMap { known[$0.id] } }

    /// The item that plays, or would.
    public var currentItem: PlayerItem? { items.first }

    /// Puts an item into the queue.
    ///
    /// One that is in the queue is not taken, which is an exception of the app's, as in AVFoundation; nor is one of another
    /// player.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - other: The one that it comes behind; nil for the end of the queue.
    /// - Returns: Whether it was taken.
    @discardableResult
    public func insert(_ item: PlayerItem, after other: PlayerItem? = nil) -> Bool {
        insert(item, at: other?.id.map { .behind($0) } ?? .last)
    }

    func insert(_ item: PlayerItem, at place: NewItem.Place) -> Bool {
        let before = Set(model.items.map(\.id))
        if let id = item.id { return insertAgain(item, id, at: place, before) }
        let new = NewItem(url: item.url, startingAt: item.start, isExact: item.startsExactly, place: place)
        engine.send(.insertItem(new))
        guard let id = model.items.map(\.id).first(where: { !before.contains($0) }) else { return false }
        item.isTaken(as: id, by: engine)
        known[id] = item
        return true
    }

    /// Puts an item that was in a queue before into this one, where it was that one's and is not in it still.
    private func insertAgain(_ item: PlayerItem, _ id: ItemID, at place: NewItem.Place, _ before: Set<ItemID>) -> Bool {
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

    /// Takes an item out of the queue; the current one's place is taken by the next.
    ///
    /// - Parameter item: The item; one that is not in the queue changes nothing.
    public func remove(_ item: PlayerItem) { if let id = item.id { engine.send(.remove(id)) } }

    /// Empties the queue.
    public func removeAllItems() { engine.send(.removeAll) }

    /// Goes over to the next item, with the rate kept.
    public func advanceToNextItem() { engine.send(.advance) }

    /// Puts another item in the place of the current one, with the rate kept.
    ///
    /// An app of a movie player makes another player with it, which some platforms let fail.
    ///
    /// - Parameter item: The item; nil takes the current one out of the queue, and the current one itself has no effect.
    public func replaceCurrentItem(with item: PlayerItem?) {
        guard let item else {
            if let currentItem { remove(currentItem) }
            return
        }
        if item !== currentItem { _ = insert(item, at: .current) }
    }

    // MARK: Playing

    /// Plays.
    public func play() { engine.send(.play) }

    /// Pauses.
    public func pause() { engine.send(.pause) }

    /// Plays at a rate without waiting for enough to be buffered.
    public func playImmediately() { engine.send(.playImmediately) }

    /// The rate, from 0: 0 is paused, 1 normal; what lies below 0 pauses.
    public var rate: Double {
        get { model.rate }
        set { engine.send(.setRate(newValue)) }
    }

    /// Whether it plays.
    public var timeControlStatus: TimeControlStatus { TimeControlStatus(model.timeControl) }

    /// What it waits for; nil where it does not wait.
    public var reasonForWaitingToPlay: WaitingReason? {
        guard case .waiting(let reason) = model.timeControl else { return nil }
        return WaitingReason(rawValue: reason.rawValue)
    }

    /// Where the playhead is in the current item; zero without one.
    public var currentTime: Duration { engine.position }

    /// Moves the playhead of the current item.
    ///
    /// - Parameters:
    ///   - time: Where to, from the item's beginning.
    ///   - before: How far before it may land, from zero; nil for any distance.
    ///   - after: How far behind it may land, from zero; nil for any distance.
    /// - Returns: Whether it landed there, and no other seek or item came between.
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
            // What it came to is told behind this.
            seeks[id] = continuation
        }
    }

    /// Ends the seek in progress; the playhead stays where it was.
    public func cancelPendingSeeks() { engine.send(.cancelSeeks) }

    // MARK: Settings

    /// What happens when the current item has played to its end.
    public var actionAtItemEnd: ActionAtItemEnd {
        get { ActionAtItemEnd(rawValue: model.settings.actionAtItemEnd.rawValue) ?? .advance }
        set {
            if let action = SeguePlayerModel.QueuePlayer.EndAction(rawValue: newValue.rawValue) {
                engine.send(.setActionAtItemEnd(action))
            }
        }
    }

    /// Whether it waits until playback is likely to go on without a stall.
    public var automaticallyWaitsToMinimizeStalling: Bool {
        get { model.settings.waitsToMinimizeStalls }
        set { engine.send(.setWaitsToMinimizeStalls(newValue)) }
    }

    /// The most bits a second that a variant may take, from 0; 0 for no limit.
    public var preferredPeakBitRate: Int {
        get { model.settings.peakBitrate }
        set { engine.send(.setPeakBitrate(newValue)) }
    }

    /// How much is to be buffered ahead, in time of the item, from zero; zero leaves it to the platform.
    public var preferredForwardBufferDuration: Duration {
        get { model.settings.forwardBuffer }
        set { engine.send(.setForwardBuffer(newValue)) }
    }

    // MARK: What it tells of

    /// What it tells from now on.
    public var notifications: AsyncStream<PlayerNotification> { listeners.stream() }

    /// Calls a closure for what it tells.
    ///
    /// - Parameter closure: What is called.
    /// - Returns: What ends it, when it is cancelled; it need not be kept.
    public func observe(_ closure: @escaping @MainActor (PlayerNotification) -> Void) -> Observation {
        listeners.add(closure)
    }

    /// Calls a closure with the playhead's place at each multiple of an interval of the item's time, when playing begins or
    /// ends, and when the playhead jumps.
    ///
    /// - Parameters:
    ///   - interval: The interval, at least a millisecond.
    ///   - closure: What is called, with the place in the current item.
    /// - Returns: What ends it, when it is cancelled; it need not be kept.
    public func addPeriodicTimeObserver(
        forInterval interval: Duration,
        using closure: @escaping @MainActor (Duration) -> Void
    ) -> Observation {
        times.add(every: interval, closure)
    }

    /// Calls a closure when the playhead comes by one of some times of the item.
    ///
    /// - Parameters:
    ///   - times: The times, in any order.
    ///   - closure: What is called.
    /// - Returns: What ends it, when it is cancelled; it need not be kept.
    public func addBoundaryTimeObserver(
        forTimes times: [Duration],
        using closure: @escaping @MainActor () -> Void
    ) -> Observation {
        self.times.add(at: times, closure)
    }

    func take(_ notice: PlayerNotice) {
        defer { if notice.movesPlayhead { times.change() } }
        switch notice {
        case .itemReady(let id): tell(id, PlayerNotification.itemReadyToPlay)
        case .itemFailed(let id), .itemShowsFailure(let id): tell(id, PlayerNotification.itemFailed)
        case .itemPlayedToEnd(let id): tell(id, PlayerNotification.itemDidPlayToEndTime)
        case .itemFailedToPlayToEnd(let id): tell(id, PlayerNotification.itemFailedToPlayToEndTime)
        case .itemStalled(let id): tell(id, PlayerNotification.itemPlaybackStalled)
        case .itemTimeJumped(let id): tell(id, PlayerNotification.itemTimeJumped)
        case .currentItem(let id): listeners.tell(.currentItemChanged(id.flatMap { known[$0] }))
        case .timeControl(let control): listeners.tell(.timeControlStatusChanged(TimeControlStatus(control)))
        case .seekEnded(let id, let isFinished): seeks.removeValue(forKey: id)?.resume(returning: isFinished)
        }
    }

    private func tell(_ id: ItemID, _ notification: (PlayerItem) -> PlayerNotification) {
        if let item = known[id] { listeners.tell(notification(item)) }
    }
}

extension PlayerNotice {
    /// Whether the playhead begins or ceases to move with it, or jumps.
    fileprivate var movesPlayhead: Bool {
        switch self {
        case .timeControl, .itemTimeJumped, .currentItem, .seekEnded: true
        case .itemReady, .itemFailed, .itemShowsFailure, .itemPlayedToEnd, .itemFailedToPlayToEnd, .itemStalled: false
        }
    }
}
