internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// One item as the player has it.
package struct PlayerItem: Sendable {
    /// Whether it can be played.
    package enum Status: Sendable, Equatable {
        case unknown
        case readyToPlay
        /// For good: a new item is needed.
        case failed(PlaybackError)

        /// The state's name.
        package var name: String {
            switch self {
            case .unknown: "unknown"
            case .readyToPlay: "readyToPlay"
            case .failed: "failed"
            }
        }
    }

    /// What has been found out about it.
    struct Known: Sendable {
        var status = Status.unknown
        var tracks: ItemTracks?
        var duration: Duration?

        /// Whether it is known where it begins.
        var isPositionKnown: Bool

        /// Whether it begins exactly where it was told to, or where it begins is known; else at the start of that segment.
        var isStartExact: Bool

        /// How many changes of variant the access log knows of.
        var changes = 0

        /// How many of its errors the app has been shown.
        var shownErrors = 0
    }

    /// What its client says of the buffer.
    struct Buffer: Sendable, Equatable {
        var isEmpty = true
        var isLikelyToKeepUp = false
        var isFull = false
    }

    /// What an item that is loaded ahead is to the current one.
    struct Companionship: Sendable {
        /// The current item, at whose playhead it loads to take its place.
        let leader: ItemID

        /// From where it was last told to load; nil for from where it begins.
        var aim: Duration?
    }

    /// Its name.
    package let id: ItemID

    /// What it was made with.
    package let url: String

    /// The player that it was put into; nil before.
    var player: Int?

    var known: Known
    private var buffer = Buffer()

    /// Its access log and error log.
    package internal(set) var journal = ItemJournal()

    /// Where its playhead was when the player last looked; ``QueuePlayer/position(at:)`` tells where it is.
    package internal(set) var position: Duration

    /// Whether any of it was played.
    package internal(set) var hasBegun = false

    /// Whether it has played to its end and nothing was done about that since.
    var hasEnded = false

    /// Whether its picture is enabled.
    package internal(set) var isVideoEnabled = true

    /// How often it has stalled.
    private(set) var stalls = 0

    /// What it is to the current item; nil for one that waits in line.
    var companionship: Companionship?

    /// The seek that has not ended; nil for none.
    var seek: ItemSeek?

    /// Where it will go on that has stopped for something else; nil for where it stands.
    var resumption: Duration?

    /// How far behind its live edge it was last sent to; nil where it was sent nowhere.
    var chosenDistance: Duration?

    /// Where its playhead first ran.
    var began = Duration.zero

    private var entry: ItemEntry
    private(set) var client: any MediaClient

    init(
        id: ItemID,
        url: String,
        startingAt start: Duration?,
        isExact: Bool,
        settings: PlatformProfile.Loading,
        session: String
    ) {
        self.id = id
        self.url = url
        known = Known(isPositionKnown: start != nil, isStartExact: isExact)
        position = start ?? .zero
        entry = ItemEntry(url: url)
        client = HLSOpening(
            MediaSource(item: id, url: url, settings: settings, session: session),
            startingAt: start
        )
    }

    // MARK: What is so

    /// Whether it can be played.
    package var status: Status { known.status }

    /// What its media have; valid before ``status`` becomes `readyToPlay`, nil until known.
    package var tracks: ItemTracks? { known.tracks }

    /// How long it is; valid before ``status`` becomes `readyToPlay`, nil until known and while it may grow.
    package var duration: Duration? { known.duration }

    /// Whether nothing is buffered at the playhead.
    package var isBufferEmpty: Bool { buffer.isEmpty }

    /// Whether playback would go on without a stall.
    package var isLikelyToKeepUp: Bool { buffer.isLikelyToKeepUp }

    /// Whether loading rests because enough is buffered.
    package var isBufferFull: Bool { buffer.isFull }

    /// The current item at whose playhead it loads, to take its place; nil for one that waits in line.
    var companion: ItemID? { companionship?.leader }

    /// Why it failed, or will when its buffer has been used up; nil when it did not.
    package var error: PlaybackError? {
        if case .failed(let error) = status { return error }
        return client.failure
    }

    /// What is known of its tracks.
    ///
    /// - Parameter countingDisabled: Whether a picture counts that is disabled.
    /// - Returns: The tracks; nil while they are not known.
    func shownTracks(countingDisabled: Bool) -> ItemTracks? {
        tracks.map { ItemTracks(hasVideo: $0.hasVideo && (isVideoEnabled || countingDisabled), hasAudio: $0.hasAudio) }
    }

    /// Whether the app wishes its video, where it can do without.
    package var isVideoWanted: Bool { client.wishes.isVideoWanted }

    /// Whether pictures are played while it plays.
    var playsPictures: Bool { (tracks?.hasVideo ?? false) && isVideoEnabled && isVideoWanted }

    /// Whether it failed.
    package var isFailed: Bool { if case .failed = status { true } else { false } }

    /// Where media are needed next: where a seek lands, where it will go on, else the playhead.
    var loadingPosition: Duration { seek?.landing ?? resumption ?? position }

    /// Up to where media are buffered without a gap from the playhead.
    package var bufferedEnd: Duration { client.bufferedEnd(from: position) }

    /// What is buffered without a gap from where media are needed next; nil where nothing is.
    package var loaded: Range<Duration>? {
        let end = client.bufferedEnd(from: loadingPosition)
        return end > loadingPosition ? loadingPosition..<end : nil
    }

    /// What may be sought; nil until that is known.
    package var seekable: Range<Duration>? { client.seekable.flatMap { $0.start < $0.end ? $0.start..<$0.end : nil } }

    /// Whether the playhead is at its end.
    var isAtEnd: Bool { isEnd(position) }

    /// Whether a position is its end.
    func isEnd(_ position: Duration) -> Bool { duration.map { position >= $0 } ?? false }

    // MARK: What it is told

    /// Begins to load.
    mutating func begin() { client.begin() }

    /// Changes what the app wishes of its loading.
    mutating func wish(_ change: (inout LoadingWishes) -> Void) { change(&client.wishes) }

    /// Begins the requests that are to be made now.
    mutating func update(rate: Double, _ turn: inout Turn) {
        let playhead = loadingPosition
        lend(&turn) { $0.update(playhead: playhead, rate: rate, &$1) }
    }

    /// Loads its playlists again that may grow, and nothing else.
    mutating func reload(_ turn: inout Turn) { lend(&turn) { $0.reload(&$1) } }

    /// Takes in news of one of its requests.
    ///
    /// - Returns: Whether there is something to do about it.
    mutating func handle(_ event: FetchEvent, _ turn: inout Turn) -> Bool {
        guard client.isAtEntry else { return pass(event, &turn) }
        switch entry.take(event) {
        case .nothing: return false
        case .passed: return pass(event, &turn)
        case .tooLarge(let error):
            turn.cancel(event.id)
            return pass(.failed(event.id, error), &turn)
        case .known(let kind, let events):
            if kind == .media, let progressive = client.progressive(startingAt: known.isPositionKnown ? position : nil)
            {
                client = progressive
            }
            var isNews = kind == .media
            for event in events {
                let isOfNote = pass(event, &turn)
                if event.isOutcome { isNews = isOfNote }
            }
            return isNews
        }
    }

    private mutating func pass(_ event: FetchEvent, _ turn: inout Turn) -> Bool {
        let isNews = lend(&turn) { $0.handle(event, &$1) }
        if let successor = client.successor { client = successor }
        return isNews
    }

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, _ turn: inout Turn) { lend(&turn) { $0.move(to: position, &$1) } }

    /// Gives up requests for media, which are made again when loading goes on.
    mutating func rest(_ turn: inout Turn) { lend(&turn) { $0.rest(&$1) } }

    /// Gives up every request and lets go of what was loaded.
    mutating func stop(_ turn: inout Turn) {
        let position = position
        client = lend(&turn) { $0.stop(at: position, &$1) }
    }

    /// Takes in what the player does with it.
    mutating func follow(_ control: TimeControl, _ turn: inout Turn) { lend(&turn) { $0.follow(control, &$1) } }

    /// Hands on what has come and was kept until there would be more.
    mutating func handOn(_ turn: inout Turn) { lend(&turn) { $0.handOn(&$1) } }

    /// The buffer ran out while it played.
    mutating func stall(_ turn: inout Turn) {
        turn.log(.itemStalled(item: id.description, position: position.seconds))
        turn.notify(.itemStalled(id))
        journal.update(uri: client.playlistURL, at: turn.now) { $0.stalls += 1 }
        stalls += 1
        client.starve()
        close(.stall, &turn)
    }

    /// Closes the open entry of its access log, when there is one.
    mutating func close(_ reason: AccessLogEntry.Reason, _ turn: inout Turn) { lend(&turn) { $1.close(reason) } }

    /// Something went wrong with it.
    mutating func record(_ error: PlaybackError, _ turn: inout Turn) {
        lend(&turn) { $1.record(error, uri: $0.playlistURL) }
    }

    /// Takes in what the client says of the buffer.
    mutating func noteBuffer(rate: Double, _ turn: inout Turn) {
        let position = loadingPosition
        var now = Buffer()
        now.isEmpty = client.bufferedEnd(from: position) <= position && !isEnd(position)
        now.isFull = client.isResting
        now.isLikelyToKeepUp = isEnd(position) || client.isLikelyToKeepUp(from: position, rate: rate, at: turn.now)
        let former = buffer
        guard now != former else { return }
        buffer = now
        let name = id.description
        if now.isEmpty != former.isEmpty { turn.log(.bufferEmpty(item: name, isEmpty: now.isEmpty)) }
        if now.isFull != former.isFull { turn.log(.bufferFull(item: name, isFull: now.isFull)) }
        if now.isLikelyToKeepUp != former.isLikelyToKeepUp {
            turn.log(.bufferLikelyToKeepUp(item: name, isLikely: now.isLikelyToKeepUp))
        }
    }

    /// Lends the turn to its client, with its logs in it.
    private mutating func lend<Result>(
        _ turn: inout Turn,
        _ body: (inout any MediaClient, inout Turn) -> Result
    ) -> Result {
        turn.exchange(&journal, of: id)
        defer { turn.exchange(&journal, of: id) }
        return body(&client, &turn)
    }
}
