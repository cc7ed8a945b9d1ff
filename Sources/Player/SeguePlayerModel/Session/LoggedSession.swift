internal import SegueBase
package import SegueEvents

/// A session reconstructed from an event log of any player, with the same metrics as a session of the model.
package struct LoggedSession {
    private var record = SessionRecord()
    private var items = LoggedItems()
    private var audio = false
    private var video = false
    private var playing: ItemID?
    private var rate = 1.0
    /// The instant at which the player was first set to play, for logs without player commands.
    private var firstSet: Instant?
    /// The last status in the log; nil if it has none.
    private var control: String?
    private var end = Instant.zero

    /// Reads an event log, with a function that compares the sources of two URLs.
    package init(_ log: EventLog, isSameSource: @escaping @Sendable (String, String) -> Bool) {
        self.init(isSameSource: isSameSource)
        for event in log.events { follow(event) }
    }

    /// A session without events.
    init(isSameSource: @escaping @Sendable (String, String) -> Bool) { items.isSameSource = isSameSource }

    mutating func follow(_ event: Event) {
        end = event.at
        items.follow(event)
        followPlayer(event.kind)
        followApp(event.kind)
        followRequests(event.kind)
    }

    mutating func id(of name: String) -> ItemID { items.id(of: name) }

    var trail: AudioTrail { record.trail }

    /// The metrics up to the last event.
    ///
    /// A log has no byte counts for requests that failed, or that were open at its end.
    package var metrics: SessionMetrics {
        var record = record
        record.firstWish = record.firstWish ?? firstSet
        record.isPlaying = control.map { $0 != "paused" } ?? record.trail.isPlaying
        return record.metrics(at: end, switches: record.trail.switches(at: end, isSameSource: items.isSame))
    }

    // MARK: Output

    private mutating func followPlayer(_ kind: EventKind) {
        switch kind {
        case .soundBegan(let item, let position): begin(item, at: position, audio: true, video: video)
        case .pictureBegan(let item, let position): begin(item, at: position, audio: audio, video: true)
        case .soundEnded(let item, let position, let reason):
            end(item, at: position, reason, audio: false, video: video)
        case .pictureEnded(let item, let position, let reason):
            end(item, at: position, reason, audio: audio, video: false)
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

    private mutating func begin(_ name: String, at position: Double, audio: Bool, video: Bool) {
        let item = items.id(of: name)
        items.current = items.current ?? name
        guard let playing, playing != item else {
            return change(item, to: Duration(seconds: position), "", audio: audio, video: video)
        }
        // Only one item plays at a time, so the previous one has ended, wherever it was.
        if let last = record.trail.running(at: end) { record.trail.end(position: last.end, at: end, reason: "next") }
        change(
            item,
            to: Duration(seconds: position),
            "",
            audio: audio && !self.audio,
            video: video && !self.video
        )
    }

    private mutating func end(_ name: String, at position: Double, _ reason: String, audio: Bool, video: Bool) {
        let item = items.id(of: name)
        guard item == playing else { return }
        change(item, to: Duration(seconds: position), reason, audio: audio, video: video)
    }

    /// Begins or ends audio or video.
    ///
    /// A stretch between two such changes at one instant is empty, and is dropped.
    private mutating func change(_ item: ItemID, to position: Duration, _ reason: String, audio: Bool, video: Bool) {
        record.trail.end(position: position, at: end, reason: reason)
        (self.audio, self.video) = (audio, video)
        playing = audio || video ? item : nil
        guard playing != nil else { return }
        record.trail.begin(
            AudioTrail.Output(item: item, url: items.url(of: item), hasAudio: audio, isShown: video, rate: rate),
            position: position,
            at: end
        )
    }

    // MARK: The app and requests

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
            // A log of another player may lack the preceding phase.
            if record.stays.last.map({ $0.returned != nil }) ?? true {
                record.stays.append(BackgroundStay(left: now, hadItem: items.hasGoodCurrent))
            }
            changeStay { $0.entered = now }
        case .willEnterForeground:
            let isPlaying = control.map { $0 != "paused" } ?? record.trail.isPlaying
            changeStay { $0.end(at: now, isPlaying: isPlaying) }
        case .didBecomeActive:
            // As above: this is the instant of the return.
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
    /// A number of seconds in a log.
    fileprivate init(seconds: Double) { self.init(reckonedNanoseconds: (seconds * 1e9).rounded()) }
}
