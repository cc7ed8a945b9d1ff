internal import SegueBase
package import SegueEvents

/// A session as its log tells of it, whoever wrote it, for the same metrics as those of a session that was played here.
package struct LoggedSession {
    private var record = SessionRecord()
    private var items = LoggedItems()
    private var sound = false
    private var picture = false
    private var playing: ItemID?
    private var rate = 1.0
    /// When the player first was set to play, for logs without calls of it.
    private var firstSet: Instant?
    /// What the player said last of whether it plays; nil where it says nothing of it.
    private var control: String?
    private var end = Instant.zero

    /// Reads a log from its beginning to its end.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - isSameSource: Whether two URLs are of renditions of one source, as far as they tell.
    package init(_ log: EventLog, isSameSource: @escaping @Sendable (String, String) -> Bool) {
        self.init(isSameSource: isSameSource)
        for event in log.events { follow(event) }
    }

    /// A session of which nothing has been told.
    init(isSameSource: @escaping @Sendable (String, String) -> Bool) { items.isSameSource = isSameSource }

    /// Takes in the next event.
    mutating func follow(_ event: Event) {
        end = event.at
        items.follow(event)
        followPlayer(event.kind)
        followApp(event.kind)
        followRequests(event.kind)
    }

    /// What stands for an item.
    mutating func id(of name: String) -> ItemID { items.id(of: name) }

    /// What came out when, until the last event.
    var trail: AudioTrail { record.trail }

    /// What the session was like until the log's last event.
    ///
    /// A log tells nothing of what came of requests that failed, or that were open at its end.
    package var metrics: SessionMetrics {
        var record = record
        record.firstWish = record.firstWish ?? firstSet
        record.isPlaying = control.map { $0 != "paused" } ?? record.trail.isPlaying
        return record.metrics(at: end, switches: record.trail.switches(at: end, isSameSource: items.isSame))
    }

    // MARK: What comes out

    private mutating func followPlayer(_ kind: EventKind) {
        switch kind {
        case .soundBegan(let item, let position): begin(item, at: position, sound: true, picture: picture)
        case .pictureBegan(let item, let position): begin(item, at: position, sound: sound, picture: true)
        case .soundEnded(let item, let position, let reason):
            end(item, at: position, reason, sound: false, picture: picture)
        case .pictureEnded(let item, let position, let reason):
            end(item, at: position, reason, sound: sound, picture: false)
        case .playerRate(let rate, _):
            if rate > 0 {
                self.rate = rate
                firstSet = firstSet ?? end
            }
        case .playerTimeControl(let status, _):
            control = status
            if status != "paused" { firstSet = firstSet ?? end }
        case .playerCommand(let name, _):
            if ["play", "playImmediately", "setRate"].contains(name) { record.firstWish = record.firstWish ?? end }
        default: break
        }
    }

    private mutating func begin(_ name: String, at position: Double, sound: Bool, picture: Bool) {
        let item = items.id(of: name)
        items.current = items.current ?? name
        guard let playing, playing != item else {
            return change(item, to: Duration(seconds: position), "", sound: sound, picture: picture)
        }
        // Two items at a time there are not: the one before is over, wherever it was.
        if let last = record.trail.running(at: end) { record.trail.end(position: last.end, at: end, reason: "next") }
        change(
            item,
            to: Duration(seconds: position),
            "",
            sound: sound && !self.sound,
            picture: picture && !self.picture
        )
    }

    private mutating func end(_ name: String, at position: Double, _ reason: String, sound: Bool, picture: Bool) {
        let item = items.id(of: name)
        guard item == playing else { return }
        change(item, to: Duration(seconds: position), reason, sound: sound, picture: picture)
    }

    /// Sound or pictures come or go.
    ///
    /// What came out between two such changes of one moment has no length, and is dropped.
    private mutating func change(_ item: ItemID, to position: Duration, _ reason: String, sound: Bool, picture: Bool) {
        record.trail.end(position: position, at: end, reason: reason)
        (self.sound, self.picture) = (sound, picture)
        playing = sound || picture ? item : nil
        guard playing != nil else { return }
        record.trail.begin(
            item: item,
            url: items.url(of: item),
            hasSound: sound,
            isShown: picture,
            rate: rate,
            position: position,
            at: end
        )
    }

    // MARK: The app and the line

    private mutating func followApp(_ kind: EventKind) {
        switch kind {
        case .platformLifecycle(let phase): Lifecycle.Step(rawValue: phase).map { follow($0) }
        case .appUnavailable: record.isUnavailable = true
        case .itemFailed(let item, _, _, _):
            let id = items.id(of: item)
            changeStay { $0.note(failureOf: id) }
        case .queueEmptied:
            let wasPlayed = items.isLastPlayedToEnd
            changeStay { $0.noteEnd(wasPlayed: wasPlayed) }
        default: break
        }
    }

    private mutating func follow(_ step: Lifecycle.Step) {
        let now = end
        switch step {
        case .willResignActive: record.stays.append(BackgroundStay(left: now, hadItem: items.hasGoodCurrent))
        case .didEnterBackground, .terminated:
            // Another player may say nothing of the moment before.
            if record.stays.last.map({ $0.returned != nil }) ?? true {
                record.stays.append(BackgroundStay(left: now, hadItem: items.hasGoodCurrent))
            }
            changeStay { $0.entered = now }
        case .willEnterForeground:
            let isPlaying = control.map { $0 != "paused" } ?? record.trail.isPlaying
            changeStay { $0.end(at: now, isPlaying: isPlaying) }
        case .didBecomeActive:
            // The same: then this is the moment at which it came back.
            let isPlaying = control.map { $0 != "paused" } ?? record.trail.isPlaying
            changeStay { if $0.returned == nil { $0.end(at: now, isPlaying: isPlaying) } }
        default: break
        }
    }

    private mutating func changeStay(_ change: (inout BackgroundStay) -> Void) {
        if let last = record.stays.indices.last { change(&record.stays[last]) }
    }

    private mutating func followRequests(_ kind: EventKind) {
        switch kind {
        case .requestFinished(_, let bytes, _), .requestCancelled(_, let bytes): record.bytes += bytes
        default: break
        }
    }
}

extension Duration {
    /// So many seconds, as a log has them.
    fileprivate init(seconds: Double) { self.init(reckonedNanoseconds: (seconds * 1e9).rounded()) }
}
