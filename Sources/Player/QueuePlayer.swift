package import Timeline

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

    /// The media service's leave to play an item.
    enum Gate: Sendable, Equatable {
        case closed
        case requested(ItemID)
        case open(ItemID, from: Instant)

        var item: ItemID? {
            switch self {
            case .closed: nil
            case .requested(let item), .open(let item, _): item
            }
        }
    }

    /// A request to the media service to play an item.
    struct StartRequest: Sendable, Equatable {
        let item: ItemID
        /// Whether it follows the item before at that one's end, so that the service knew of it.
        let isContinuation: Bool
    }

    /// The running playhead.
    struct Clock: Sendable {
        let position: Duration
        let instant: Instant
        let rate: Double

        func position(at now: Instant) -> Duration {
            position + Duration(reckonedNanoseconds: (Double((now - instant).wholeNanoseconds) * rate).rounded())
        }

        func instant(of target: Duration) -> Instant {
            instant + Duration(reckonedNanoseconds: (Double((target - position).wholeNanoseconds) / rate).rounded(.up))
        }
    }

    /// The queue; the first item is the current one.
    package internal(set) var items: [PlayerItem] = []

    /// Items that left the queue, oldest first, with their logs.
    package internal(set) var removed: [PlayerItem] = []

    /// The rate as the app reads it.
    package internal(set) var rate = 0.0

    /// Whether it plays, and what it waits for.
    package internal(set) var timeControl = TimeControl.paused

    /// What was heard when.
    package internal(set) var trail = AudioTrail()

    /// What happens when the current item has played to its end.
    package var actionAtItemEnd = EndAction.advance

    /// Whether it waits until playback is likely to go on without a stall.
    package internal(set) var waitsToMinimizeStalls: Bool

    /// The rate that `play` takes where the platform has such a setting.
    package var defaultRate = 1.0

    /// The most that a variant may take, in bits per second; 0 for no limit.
    package internal(set) var peakBitrate = 0

    /// How much is to be buffered ahead; zero leaves it to the platform.
    package internal(set) var forwardBuffer = Duration.zero

    /// When playing was first wished for since the player last paused; nil when it is not.
    package internal(set) var wishedAt: Instant?

    /// Whether the platform holds it paused, whatever ``rate`` reads.
    package internal(set) var isHeldByPlatform = false

    let profile: PlatformProfile
    let number: Int
    let session: String
    var clock: Clock?
    var gate = Gate.closed
    var isImmediate = false

    /// Whether it waits as after a stall.
    var isStalling = false
    var follows = false
    var startRequests: [StartRequest] = []
    /// The turn under way, or the last one.
    var turn: Turn
    private var itemCount = 0
    private var seekCount = 0

    /// A player with nothing in its queue.
    ///
    /// - Parameters:
    ///   - profile: The platform that it runs on.
    ///   - session: What servers are told that the session is called.
    ///   - number: Tells it from other players of the session.
    package init(profile: PlatformProfile, session: String = "segue", number: Int = 1) {
        self.profile = profile
        self.session = session
        self.number = number
        turn = Turn(settings: profile.loading)
        waitsToMinimizeStalls = profile.playback.waitsToMinimizeStalls
    }

    // MARK: Asking

    /// The item that plays, or would.
    package var current: PlayerItem? { items.first }

    /// Where the current item's playhead is; zero without one.
    package func position(at now: Instant) -> Duration {
        guard !items.isEmpty else { return .zero }
        guard let clock else { return items[0].position }
        return min(clock.position(at: now), items[0].bufferedEnd)
    }

    /// An item in the queue, or one that has left it.
    package func item(_ id: ItemID) -> PlayerItem? {
        items.first { $0.id == id } ?? removed.last { $0.id == id }
    }

    /// Whether an item may be inserted: it is in no queue, and was never in another player's.
    package func canInsert(_ item: PlayerItem) -> Bool {
        (item.player == nil || item.player == number) && !items.contains { $0.id == item.id }
    }

    /// When something changes by itself; nil when nothing will.
    package func nextChange(at now: Instant) -> Instant? {
        var instants: [Instant] = []
        if let clock, !items.isEmpty {
            instants.append(clock.instant(of: items[0].bufferedEnd))
            if let border = items[0].client.gapBorder(after: position(at: now)) {
                instants.append(clock.instant(of: border))
            }
            // Past that position, something else holds it up.
            if items.count > 1, !items[1].client.hasBegun, let start = preloadPosition(of: items[0]),
                start > position(at: now)
            {
                instants.append(clock.instant(of: start))
            }
        }
        if case .open(_, let from) = gate, clock == nil, rate > 0, from > now { instants.append(from) }
        for index in items.indices {
            let moves = clock != nil && (index == 0 || items[index].companion == items[0].id)
            let playhead = moves ? position(at: now) : items[index].loadingPosition
            let pace = moves ? clock?.rate ?? 0 : 0
            let change = items[index].client.nextChange(playhead: playhead, rate: pace, at: now)
            if let change { instants.append(change) }
        }
        return instants.min().map { max($0, now) }
    }

    /// Where in the current item the next one begins to load; nil when the playhead has nothing to do with it.
    func preloadPosition(of item: PlayerItem) -> Duration? {
        guard profile.loading.preload == .nearEnd, let duration = item.duration else { return nil }
        return max(.zero, duration - profile.loading.preloadWithin)
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
        itemCount += 1
        return PlayerItem(
            id: ItemID(itemCount),
            url: url,
            startingAt: start?.inWholeNanoseconds,
            isExact: isExact,
            settings: profile.loading,
            session: session
        )
    }

    mutating func makeSeek() -> SeekID {
        seekCount += 1
        return SeekID(number: seekCount)
    }
}

extension Duration {
    /// The duration without the part of a nanosecond: positions are whole nanoseconds, as instants are.
    var inWholeNanoseconds: Duration { .nanoseconds(wholeNanoseconds) }
}
