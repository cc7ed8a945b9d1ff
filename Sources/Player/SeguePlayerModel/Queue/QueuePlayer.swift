package import SegueBase
package import SegueFetch

/// The model of a queue player: a queue of items, a rate, and the current item's playhead.
///
/// It is pure: commands and news go in with the present time, requests and news come out, and nothing happens between.
/// ``nextChange(at:)`` says when something will, so that the caller can come back then.
package struct QueuePlayer: Sendable {
    /// What happens when the current item has played to its end.
    package enum EndAction: String, Sendable {
        /// The next item begins.
        case advance
        /// The player pauses at the end.
        case pause
        /// Nothing: the playhead stays at the end and the rate becomes 0.
        case none
    }

    let profile: PlatformProfile

    /// What servers are told that the session is called.
    let session: String

    /// What the app sets.
    package internal(set) var settings: PlayerSettings

    var queue: ItemQueue
    var drive = Drive()
    var playhead = Playhead()
    var interstitials = InterstitialCourse()

    /// How much faster or slower than normal a live item is played.
    var liveSpeed = LiveSpeed()

    /// The scan of the current item; nil for none.
    var scan: FrameScan?

    /// How many seeks there were.
    package internal(set) var seeks = 0

    /// The turn under way, or the last one.
    var turn: Turn

    /// A player with nothing in its queue.
    ///
    /// - Parameters:
    ///   - profile: The platform that it runs on.
    ///   - session: What servers are told that the session is called.
    ///   - number: Tells it from other players of the session.
    package init(profile: PlatformProfile, session: String = "segue", number: Int = 1) {
        self.profile = profile
        self.session = session
        settings = PlayerSettings(waitsToMinimizeStalls: profile.playback.waitsToMinimizeStalls)
        queue = ItemQueue(player: number)
        turn = Turn(settings: profile.loading)
    }

    // MARK: Asking

    /// The queue; the first item is the current one.
    package var items: [PlayerItem] { queue.items }

    /// Items that left the queue, oldest first, with their logs.
    package var removed: [PlayerItem] { queue.removed }

    /// The item that plays, or would.
    package var current: PlayerItem? { queue.current }

    /// The rate as the app reads it.
    package var rate: Double { drive.rate }

    /// Whether it plays, and what it waits for.
    package var timeControl: TimeControl { drive.timeControl }

    /// Whether the platform holds it paused, whatever ``rate`` reads.
    package var isHeldByPlatform: Bool { drive.isHeldByPlatform }

    /// What was heard when.
    package var trail: AudioTrail { playhead.trail }

    /// Where the current item's playhead is; zero without one.
    package func position(at now: Instant) -> Duration {
        guard !queue.items.isEmpty else { return .zero }
        if let scan { return scan.position(at: now) }
        return isInterrupted ? queue.items[0].position : playhead.position(in: queue.items[0], at: now)
    }

    /// An item in the queue, or one that has left it.
    package func item(_ id: ItemID) -> PlayerItem? { queue.item(id) }

    /// Whether an item may be inserted: it is in no queue, and was never in another player's.
    package func canInsert(_ item: PlayerItem) -> Bool { queue.takes(item) }

    /// The item that the media service has been asked for; nil for none.
    var wanted: ItemID? { drive.gate.wanted }

    /// When something changes by itself; nil when nothing will.
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
            // Past that position, something else holds it up.
            if !isInterrupted, queue.items.count > 1, !queue.items[1].client.hasBegun, let start = preloadPosition,
                start > position
            {
                consider(clock.instant(of: start))
            }
        }
        if playhead.clock != nil { consider(liveSpeed.nextLook) }
        if playhead.clock == nil, rate > 0 { consider(drive.gate.opening(after: now)) }
        for index in queue.items.indices where scan == nil || index > 0 {
            let moves =
                playhead.clock != nil && !isInterrupted
                && (index == 0 || queue.items[index].companion == queue.items[0].id)
            let place = moves ? position(at: now) : queue.items[index].loadingPosition
            let pace = moves ? playhead.clock?.rate ?? 0 : 0
            consider(queue.items[index].client.nextChange(playhead: place, rate: pace, at: now))
        }
        if scan == nil { consider(nextInterstitialChange(at: now)) }
        if let scan {
            consider(scan.nextChange)
            consider(queue.items.first?.client.nextReload)
        }
        return next.map { max($0, now) }
    }

    /// Where in the current item the next one begins to load; nil when the playhead has nothing to do with it.
    var preloadPosition: Duration? {
        guard profile.loading.requesting.preload == .nearEnd, let duration = queue.items.first?.duration else {
            return nil
        }
        return max(.zero, duration - profile.loading.requesting.preloadWithin)
    }

    // MARK: Names

    /// An item for this player's platform, not yet in the queue.
    ///
    /// - Parameters:
    ///   - url: Its playlist.
    ///   - start: Where it begins; nil leaves it to the playlist.
    ///   - isExact: Whether it begins exactly there, not at the start of that segment.
    /// - Returns: The item.
    package mutating func makeItem(url: String, startingAt start: Duration? = nil, isExact: Bool = true) -> PlayerItem {
        PlayerItem(
            id: queue.nextID(),
            url: url,
            startingAt: start?.inWholeNanoseconds,
            isExact: isExact,
            settings: profile.loading,
            session: session
        )
    }

    // MARK: News

    /// Takes in news of a request.
    ///
    /// - Returns: Whether anything may have changed; a part of a resource seldom changes anything.
    @discardableResult
    package mutating func handle(_ event: FetchEvent, at now: Instant) -> Bool {
        turn.now = now
        var isNews = event.isOutcome
        if let index = queue.items.indices.first(where: { queue.items[$0].client.owns(event.id) }) {
            isNews = queue.items[index].handle(event, &turn) || isNews
        } else if scan?.owns(event.id) == true {
            handleForScan(event)
        } else if ownsForInterstitial(event.id) {
            isNews = handleForInterstitial(event) || isNews
        }
        if isNews { settle(at: now) }
        return isNews
    }

    /// Has the current item's access log count what was watched until now.
    mutating func noteWatched(at now: Instant) {
        changeStage { item, playhead, _ in playhead.noteWatched(in: &item, at: now) }
    }

    /// Hands on what has come and was kept until there would be more.
    mutating func handOn(at now: Instant) {
        turn.now = now
        for index in queue.items.indices { queue.items[index].handOn(&turn) }
    }
}

extension Duration {
    /// The duration without the part of a nanosecond: positions are whole nanoseconds, as instants are.
    var inWholeNanoseconds: Duration { .nanoseconds(wholeNanoseconds) }
}

extension FetchEvent {
    /// Whether it ends its request.
    var isOutcome: Bool {
        switch self {
        case .response, .data: false
        case .finished, .failed: true
        }
    }
}
