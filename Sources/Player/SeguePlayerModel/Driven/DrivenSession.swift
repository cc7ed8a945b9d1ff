package import SegueBase
package import SegueEvents

/// A session of a player that others made, as it is known from what its driver tells and what it was told to do.
///
/// Values in, values out: it has no driver and no clock of its own.
package struct DrivenSession: Sendable {
    /// How long what a command does may take to show in what a driver tells.
    static let grace = Duration.seconds(2)

    /// How far off a place may be that follows from the last event: drivers tell of events, and the player's clock is its own.
    static let precision = Duration.milliseconds(300)

    /// An item, as far as it is known.
    struct Item: Sendable {
        let id: ItemID
        let name: String
        var rendition: ItemRendition
        var isReady = false
        var duration: Duration?
        var hasVideo: Bool?
        var hasAudio: Bool?
        var failure: (message: String, code: Int)?
        var stalls = 0
        var errors = 0
        var httpStatus: Int?
    }

    /// The items in the queue, the current one first.
    private(set) var items: [Item] = []
    private(set) var removed: [Item] = []
    private(set) var control = "paused"
    private(set) var waitingFor = ""
    private(set) var phase = Lifecycle.Step.didBecomeActive.rawValue
    /// How much is buffered ahead of the playhead; nil where the driver does not tell.
    private(set) var buffered: Duration?
    private(set) var isBufferEmpty: Bool?
    private(set) var isBufferFull: Bool?
    private(set) var isLikelyToKeepUp: Bool?
    private(set) var isHeld = false
    package private(set) var isFinished = false

    private var logged: LoggedSession
    /// The rate that was wished for last.
    package private(set) var wishedRate = 1.0
    /// Where the playhead was when it was told of last, and how fast it went.
    private(set) var place = (position: Duration.zero, at: Instant.zero, rate: 0.0)
    /// The renditions of what was opened, by URL.
    private var renditions: [String: ItemRendition] = [:]

    /// A session in which nothing has happened.
    ///
    /// - Parameters:
    ///   - items: What may be opened, which tells renditions by their URLs.
    ///   - isSameSource: Whether two URLs are of renditions of one source, as far as they tell.
    package init(items: [ItemAddress], isSameSource: @escaping @Sendable (String, String) -> Bool) {
        logged = LoggedSession(isSameSource: isSameSource)
        for item in items {
            renditions[item.full] = .full
            if let background = item.background, background != item.full { renditions[background] = .background }
        }
    }

    /// What the session was like until the last event.
    package var metrics: SessionMetrics { logged.metrics }

    /// Every event of the log, its own included, goes in here.
    package mutating func follow(_ event: Event) {
        logged.follow(event)
        followQueue(event)
        followItem(event.kind)
        followPlace(event)
        followPlayer(event.kind)
    }

    /// The driver says how things are between events.
    ///
    /// - Parameters:
    ///   - position: Where the playhead is.
    ///   - rate: How fast it goes; 0 where it stands.
    ///   - buffered: How much is buffered ahead of it; nil where the driver cannot tell.
    ///   - now: When.
    package mutating func take(position: Duration, rate: Double, buffered: Duration?, at now: Instant) {
        place = (position, now, rate)
        self.buffered = buffered ?? self.buffered
    }

    /// A rate is wished for.
    package mutating func wish(rate: Double) { if rate > 0 { wishedRate = rate } }

    private mutating func change(_ name: String, _ change: (inout Item) -> Void) {
        if let index = items.firstIndex(where: { $0.name == name }) { change(&items[index]) }
    }

    /// What came out when.
    package var trail: AudioTrail { logged.trail }

    // MARK: Events

    private mutating func followQueue(_ event: Event) {
        switch event.kind {
        case .queueInserted(let item, let url):
            let item = Item(id: logged.id(of: item), name: item, rendition: renditions[url] ?? .full)
            items.append(item)
            isFinished = false
        case .queueCurrent(let item):
            // What lay before it has left, also where the driver does not say so.
            guard let index = items.firstIndex(where: { $0.name == item }) else { return }
            removed += items[..<index]
            items.removeFirst(index)
            if index > 0 { place = (.zero, event.at, 0) }
        case .queueRemoved(let item, _):
            guard let index = items.firstIndex(where: { $0.name == item }) else { return }
            removed.append(items.remove(at: index))
            if index == 0 { place = (.zero, event.at, 0) }
        case .queueEmptied:
            removed += items
            items = []
            isFinished = true
        case .itemPlayedToEnd(let item): isFinished = items.last?.name == item
        default: break
        }
    }

    private mutating func followItem(_ kind: EventKind) {
        switch kind {
        case .itemTracksKnown(let item, let hasVideo, let hasAudio):
            change(item) { ($0.hasVideo, $0.hasAudio) = (hasVideo, hasAudio) }
        case .itemReadyToPlay(let item, let duration), .itemDurationKnown(let item, let duration):
            change(item) {
                $0.isReady = true
                $0.duration = duration >= 0 ? Duration(reckonedNanoseconds: (duration * 1e9).rounded()) : nil
            }
        case .itemFailed(let item, _, let code, let message):
            change(item) {
                $0.failure = (message, code)
                $0.errors += 1
            }
        case .errorLogEntry(let item, _, let status, _, _, _):
            change(item) {
                $0.errors += 1
                $0.httpStatus = status
            }
        case .itemStalled(let item, _): change(item) { $0.stalls += 1 }
        case .soundBegan(let item, _): change(item) { $0.hasAudio = true }
        case .pictureBegan(let item, _): change(item) { $0.hasVideo = $0.hasVideo ?? true }
        default: break
        }
    }

    private mutating func followPlace(_ event: Event) {
        switch event.kind {
        case .soundBegan(_, let position), .pictureBegan(_, let position): put(position, wishedRate, event.at)
        case .soundEnded(_, let position, _), .pictureEnded(_, let position, _):
            put(position, trail.isPlaying ? wishedRate : 0, event.at)
        case .itemTimeJumped(_, let position), .seekEnded(_, let position, _):
            put(position, trail.isPlaying ? wishedRate : 0, event.at)
            if case .itemTimeJumped = event.kind { isFinished = false }
        case .itemPlayedToEnd: place = (duration ?? position(at: event.at), event.at, 0)
        default: break
        }
    }

    private mutating func put(_ position: Double, _ rate: Double, _ now: Instant) {
        place = (Duration(reckonedNanoseconds: (position * 1e9).rounded()), now, rate)
    }

    private mutating func followPlayer(_ kind: EventKind) {
        switch kind {
        case .playerTimeControl(let status, let waitingFor): (control, self.waitingFor) = (status, waitingFor)
        case .playerRate(let rate, _): wish(rate: rate)
        case .platformLifecycle(let phase): self.phase = phase
        case .platformPaused: isHeld = true
        case .playerCommand("play", _): isHeld = false
        case .bufferEmpty(_, let isEmpty): isBufferEmpty = isEmpty
        case .bufferFull(_, let isFull): isBufferFull = isFull
        case .bufferLikelyToKeepUp(_, let isLikely): isLikelyToKeepUp = isLikely
        default: break
        }
    }
}
