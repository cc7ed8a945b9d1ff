package import SegueBase
package import SegueFetch

// Size: each command settles queue, rate, status, and playhead together before and after it, until nothing changes.
/// The model of a queue player: a queue of items, a rate, and the playhead of the current item.
///
/// It is pure: commands and news go in with the present time, and requests and notices come out. ``nextChange(at:)`` is
/// the instant at which the caller must return.
package struct QueuePlayer: Sendable {
    /// The action at the end of the current item.
    package enum EndAction: String, Sendable {
        /// The next item starts.
        case advance
        /// The player pauses at the end.
        case pause
        /// The playhead stays at the end, and the rate becomes 0.
        case none
    }

    let profile: PlatformProfile

    package internal(set) var settings: PlayerSettings

    var queue: ItemQueue
    var drive = Drive()
    var playhead = Playhead()
    var interstitials: InterstitialPlayer

    /// The speed of a live item.
    var liveSpeed = LiveSpeed()

    var scanner = ItemScanner()

    /// The number of seeks so far.
    package internal(set) var seeks = 0

    /// The context of the current step, or of the last one.
    var context: StepContext

    /// A player with an empty queue.
    ///
    /// - Parameters:
    ///   - session: The session ID in client data.
    ///   - number: The number of the player in its session.
    package init(profile: PlatformProfile, session: String = "segue", number: Int = 1) {
        self.profile = profile
        settings = PlayerSettings(waitsToMinimizeStalls: profile.playback.waitsToMinimizeStalls)
        queue = ItemQueue(player: number, session: session)
        interstitials = InterstitialPlayer(behindWindow: profile.playback.behindWindow)
        context = StepContext(settings: profile.loading)
    }

    // MARK: Queries

    /// The queue; the first item is the current one.
    package var items: [PlayerItem] { queue.items }

    /// The items that left the queue, oldest first, with their logs.
    package var removed: [PlayerItem] { queue.removed }

    package var current: PlayerItem? { queue.current }

    /// The rate as the app reads it.
    package var rate: Double { drive.rate }

    package var timeControl: TimeControl { drive.timeControl }

    /// True if the platform holds the player paused, whatever ``rate`` reads.
    package var isHeldByPlatform: Bool { drive.isHeldByPlatform }

    /// The record of playback.
    package var trail: AudioTrail { playhead.trail }

    /// The position of the current item's playhead; zero without an item.
    package func position(at now: Instant) -> Duration {
        guard !queue.items.isEmpty else { return .zero }
        if let position = scanner.position(at: now) { return position }
        return interstitials.isOn ? queue.items[0].position : playhead.position(in: queue.items[0], at: now)
    }

    package func item(_ id: ItemID) -> PlayerItem? { queue.item(id) }

    /// Returns whether an item may be inserted: it is in no queue, and was never in another player's.
    package func canInsert(_ item: PlayerItem) -> Bool { queue.accepts(item) }

    /// The item whose permission is pending at the media service.
    var wanted: ItemID? { drive.gate.wanted }

    /// The instant of the next change without new input; nil if there is none.
    package func nextChange(at now: Instant) -> Instant? {
        var next: Instant?
        func consider(_ instant: Instant?) {
            guard let instant else { return }
            next = next.map { min($0, instant) } ?? instant
        }
        if let clock = playhead.clock, let stage {
            consider(stageEnd.map(clock.instant))
            let position = playhead.position(in: stage, at: now)
            consider(stage.client.gapBorder(after: position).map(clock.instant))
            // At that position, something else delays it.
            if !interstitials.isOn, queue.items.count > 1, !queue.items[1].client.hasBegun, let start = preloadPosition,
                start > position
            {
                consider(clock.instant(of: start))
            }
        }
        if playhead.clock != nil { consider(liveSpeed.nextLook) }
        if playhead.clock == nil, rate > 0 {
            consider(drive.gate.opening(after: now))
            if drive.isResting(at: now) { consider(drive.restartsAt) }
        }
        for index in queue.items.indices where !scanner.isOn || index > 0 {
            let moves =
                playhead.clock != nil && !interstitials.isOn
                && (index == 0 || queue.items[index].companion == queue.items[0].id)
            let place = moves ? position(at: now) : queue.items[index].loadingPosition
            let pace = moves ? playhead.clock?.rate ?? 0 : 0
            consider(queue.items[index].client.nextChange(playhead: place, rate: pace, at: now))
        }
        if scanner.isOn {
            consider(scanner.nextChange)
            consider(queue.items.first?.client.nextReload)
        } else {
            consider(interstitials.nextChange(playhead: playhead, at: now))
        }
        return next.map { max($0, now) }
    }

    /// The position in the current item at which the next one begins to load, if it depends on the playhead.
    var preloadPosition: Duration? {
        guard profile.loading.requesting.preload == .nearEnd, let duration = queue.items.first?.duration else {
            return nil
        }
        return max(.zero, duration - profile.loading.requesting.preloadWithin)
    }

    // MARK: The stage

    /// The item that plays or is to play: an asset of the interstitial, or else the current item.
    var stage: PlayerItem? { interstitials.isOn ? interstitials.asset : queue.current }

    @discardableResult
    mutating func changeStage<Result>(
        _ body: (inout PlayerItem, inout Playhead, inout StepContext) -> Result
    ) -> Result? {
        if interstitials.isOn { return interstitials.changeAsset(playhead: &playhead, &context, body) }
        return queue.items.isEmpty ? nil : body(&queue.items[0], &playhead, &context)
    }

    /// Returns the speed on the stage.
    ///
    /// Media that must not be skipped play no faster than normal. A live item at normal rate plays at the speed that
    /// keeps its distance from the live edge.
    func stageRate(at rate: Double) -> Double {
        interstitials.restrictsSkipping ? min(rate, 1) : rate == 1 ? liveSpeed.factor : rate
    }

    /// The speed on the stage at the current rate.
    var stageRate: Double { stageRate(at: rate) }

    /// The position up to which the item on the stage can play: the end of its buffer, or the start or end of an
    /// interstitial.
    var stageEnd: Duration? {
        guard let stage else { return nil }
        guard !interstitials.isOn else { return min(stage.bufferedEnd, interstitials.rest ?? stage.bufferedEnd) }
        return min(stage.bufferedEnd, interstitials.nextStart(in: stage) ?? stage.bufferedEnd)
    }

    // MARK: Names

    /// Creates an item for this player's platform, without inserting it.
    ///
    /// - Parameters:
    ///   - start: The start position; nil for the position in the playlist.
    ///   - isExact: True if it starts exactly there, and not at the start of that segment.
    /// - Returns: The item.
    package mutating func makeItem(url: String, startingAt start: Duration? = nil, isExact: Bool = true) -> PlayerItem {
        queue.makeItem(url: url, startingAt: start, isExact: isExact, profile.loading)
    }

    /// The number of the next item that is created.
    var nextItem: Int { queue.made + 1 }

    // MARK: News

    /// Handles news of a request.
    ///
    /// - Returns: True if anything may have changed. A part of a resource rarely changes anything.
    @discardableResult
    package mutating func handle(_ event: FetchEvent, at now: Instant) -> Bool {
        context.now = now
        var isNews = event.isOutcome
        if let index = queue.items.indices.first(where: { queue.items[$0].client.owns(event.id) }) {
            isNews = queue.items[index].handle(event, &context) || isNews
        } else if scanner.owns(event.id) {
            if scanner.handle(event, in: &queue, &context) { endScan(.failed) }
        } else if interstitials.owns(event.id) {
            isNews = interstitials.handle(event, in: &queue, &context) || isNews
        }
        if isNews { settle(at: now) }
        return isNews
    }

    /// Updates the current item's access log.
    mutating func noteWatched(at now: Instant) {
        changeStage { item, playhead, _ in playhead.noteWatched(in: &item, at: now) }
    }

    /// Flushes data that were held back for more.
    mutating func handOn(at now: Instant) {
        context.now = now
        for index in queue.items.indices { queue.items[index].media.handOn(&context) }
    }
}

extension Duration {
    /// The duration truncated to whole nanoseconds, the resolution of positions and instants.
    var inWholeNanoseconds: Duration { .nanoseconds(wholeNanoseconds) }
}

extension FetchEvent {
    /// True if it ends its request.
    var isOutcome: Bool {
        switch self {
        case .response, .data: false
        case .finished, .failed: true
        }
    }
}
