package import SegueBase
package import SegueEvents

/// A session of a real player, reconstructed from the reports of its driver and the commands sent to it.
///
/// It is a pure value, without a driver or a clock.
package struct DrivenSession: Sendable {
    /// The maximum time until the effect of a command appears in the reports.
    static let grace = Duration.seconds(2)

    /// The precision of a position that is extrapolated from an event: drivers report events, and the player has its
    /// own clock.
    static let precision = Duration.milliseconds(300)

    /// The known properties of an item.
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
    /// The buffer ahead of the playhead; nil if the driver does not report it.
    private(set) var buffered: Duration?
    private(set) var isBufferEmpty: Bool?
    private(set) var isBufferFull: Bool?
    private(set) var isLikelyToKeepUp: Bool?
    private(set) var isHeld = false
    package private(set) var isFinished = false

    private var logged: LoggedSession
    /// The last rate that was requested.
    package private(set) var wishedRate = 1.0
    /// The last reported position, its instant, and the rate.
    private(set) var place = (position: Duration.zero, at: Instant.zero, rate: 0.0)
    /// The renditions of the opened items, by URL.
    private var renditions: [String: ItemRendition] = [:]

    /// A session without events.
    ///
    /// - Parameters:
    ///   - items: The items that may be opened, whose URLs determine renditions.
    ///   - isSameSource: Compares the sources of two URLs.
    package init(items: [ItemAddress], isSameSource: @escaping @Sendable (String, String) -> Bool) {
        logged = LoggedSession(isSameSource: isSameSource)
        for item in items {
            renditions[item.full] = .full
            if let background = item.background, background != item.full { renditions[background] = .background }
        }
    }

    /// The metrics up to the last event.
    package var metrics: SessionMetrics { logged.metrics }

    /// Handles an event of the log, including those of the harness.
    package mutating func follow(_ event: Event) {
        logged.follow(event)
        followQueue(event)
        followItem(event.kind)
        followPlace(event)
        followPlayer(event.kind)
    }

    /// Handles a report of the driver between events.
    ///
    /// - Parameters:
    ///   - position: The position of the playhead.
    ///   - rate: The speed of the playhead; 0 if it does not move.
    ///   - buffered: The buffer ahead of it; nil if the driver does not report it.
    ///   - now: The instant of the report.
    package mutating func report(position: Duration, rate: Double, buffered: Duration?, at now: Instant) {
        place = (position, now, rate)
        self.buffered = buffered ?? self.buffered
    }

    /// Records a request for a rate.
    package mutating func wish(rate: Double) { if rate > 0 { wishedRate = rate } }

    private mutating func change(_ name: String, _ change: (inout Item) -> Void) {
        if let index = items.firstIndex(where: { $0.name == name }) { change(&items[index]) }
    }

    package var trail: AudioTrail { logged.trail }

    // MARK: Events

    private mutating func followQueue(_ event: Event) {
        switch event.kind {
        case .queueInserted(let item, let url):
            let item = Item(id: logged.id(of: item), name: item, rendition: renditions[url] ?? .full)
            items.append(item)
            isFinished = false
        case .queueCurrent(let item):
            // The preceding items have left the queue, even if the driver does not report that.
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
        case .soundBegan(_, let position), .pictureBegan(_, let position): put(position, rate: wishedRate, at: event.at)
        case .soundEnded(_, let position, _), .pictureEnded(_, let position, _):
            put(position, rate: trail.isPlaying ? wishedRate : 0, at: event.at)
        case .itemTimeJumped(_, let position), .seekEnded(_, let position, _):
            put(position, rate: trail.isPlaying ? wishedRate : 0, at: event.at)
            if case .itemTimeJumped = event.kind { isFinished = false }
        case .itemPlayedToEnd: place = (duration ?? position(at: event.at), event.at, 0)
        default: break
        }
    }

    private mutating func put(_ position: Double, rate: Double, at now: Instant) {
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
