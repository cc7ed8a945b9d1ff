internal import Events
internal import Fetch
internal import HLS
internal import Timeline

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

    /// A seek that has not ended.
    struct Seek: Sendable {
        let id: SeekID
        let target: Duration
        let before: Duration
        let after: Duration
        /// Where it lands; nil until the item is ready.
        var landing: Duration?
    }

    /// Its name.
    package let id: ItemID

    /// What it was made with.
    package let url: String

    /// Whether it can be played.
    package internal(set) var status = Status.unknown

    /// What its media have; valid before ``status`` becomes `readyToPlay`, nil until known.
    package internal(set) var tracks: ItemTracks?

    /// How long it is; valid before ``status`` becomes `readyToPlay`, nil until known and while it may grow.
    package internal(set) var duration: Duration?

    /// Whether nothing is buffered at the playhead.
    package internal(set) var isBufferEmpty = true

    /// Whether playback would go on without a stall.
    package internal(set) var isLikelyToKeepUp = false

    /// Whether loading rests because enough is buffered.
    package internal(set) var isBufferFull = false

    /// Its access log and error log.
    package internal(set) var journal = ItemJournal()

    /// Where its playhead was when the player last looked; ``QueuePlayer/position(at:)`` tells where it is.
    package internal(set) var position: Duration

    /// Whether any of it was played.
    package internal(set) var hasBegun = false

    /// How many changes of variant the access log knows of.
    var notedChanges = 0

    /// From where on the open entry of the access log counts what is watched; nil for where the playhead began to run.
    var watchedFrom: Duration?

    /// Whether its picture is enabled.
    package internal(set) var isVideoEnabled = true

    /// Whether it has played to its end and nothing was done about that since.
    var hasEnded = false

    /// The current item at whose playhead it loads, to take its place; nil for one that waits in line.
    var companion: ItemID?

    /// From where such an item was last told to load; nil for from where it begins.
    var aim: Duration?

    /// How many of its errors the app has been shown.
    var shownErrors = 0

    /// Whether it begins exactly where it was told to; else at the start of that segment.
    var isStartExact: Bool

    var client: any MediaClient

    /// What the item's URL answers, until that tells what the item is.
    private var entry: EntryAnswer?

    /// How many bytes of a playlist have come that nothing else limits.
    private var entrySize = 0
    var seek: Seek?
    var isPositionKnown: Bool

    /// The player that it was put into; nil before.
    var player: Int?

    init(
        id: ItemID,
        url: String,
        startingAt start: Duration?,
        isExact: Bool,
        settings: PlatformProfile.Loading,
        session: String
    ) {
        isStartExact = isExact
        self.id = id
        self.url = url
        position = start ?? .zero
        isPositionKnown = start != nil
        entry = EntryAnswer(url: url)
        client = HLSOpening(
            MediaSource(item: id, url: url, settings: settings, session: session),
            startingAt: start
        )
    }

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

    /// Whether pictures are played while it plays.
    var playsPictures: Bool { (tracks?.hasVideo ?? false) && isVideoEnabled && client.wishes.isVideoWanted }

    /// Whether it failed.
    package var isFailed: Bool { if case .failed = status { true } else { false } }

    /// Where media are needed next: where a seek lands, else the playhead.
    var loadingPosition: Duration { seek?.landing ?? position }

    /// Up to where media are buffered without a gap from the playhead.
    package var bufferedEnd: Duration { client.bufferedEnd(from: position) }

    /// Whether the playhead is at its end.
    var isAtEnd: Bool { duration.map { position >= $0 } ?? false }

    /// Begins the requests that are to be made now.
    mutating func update(rate: Double, _ turn: inout Turn) {
        let playhead = loadingPosition
        lend(&turn) { $0.update(playhead: playhead, rate: rate, &$1) }
    }

    /// Takes in news of one of its requests.
    ///
    /// - Returns: Whether there is something to do about it.
    mutating func handle(_ event: FetchEvent, _ turn: inout Turn) -> Bool {
        guard client.isAtEntry else { return pass(event, &turn) }
        guard var entry else {
            entrySize += event.size
            guard entrySize > PlaylistLimits().bytes else { return pass(event, &turn) }
            turn.cancel(event.id)
            let error = FetchError(.tooLarge, "more than the \(PlaylistLimits().bytes) bytes of a playlist: \(url)")
            return pass(.failed(event.id, error), &turn)
        }
        let kind = entry.take(event)
        self.entry = entry
        guard let kind else { return false }
        // The answer is handed on from its beginning; one that failed may be asked for again.
        self.entry = kind == .failure ? EntryAnswer(url: url) : nil
        entrySize = entry.bytes.count
        if kind == .media, let progressive = client.progressive(startingAt: isPositionKnown ? position : nil) {
            client = progressive
        }
        if let response = entry.response { _ = pass(.response(event.id, response), &turn) }
        if !entry.bytes.isEmpty { _ = pass(.data(event.id, entry.bytes), &turn) }
        switch event {
        case .response, .data: return kind == .media
        case .finished, .failed: return pass(event, &turn)
        }
    }

    /// Takes in what the client says of the buffer.
    ///
    /// - Returns: What has changed.
    mutating func noteBuffer(rate: Double, at now: Instant) -> [EventKind] {
        var news: [EventKind] = []
        let position = loadingPosition
        let isEmpty = client.bufferedEnd(from: position) <= position && !isAtEnd
        if isEmpty != isBufferEmpty {
            isBufferEmpty = isEmpty
            news.append(.bufferEmpty(item: id.description, isEmpty: isEmpty))
        }
        let isFull = client.isResting
        if isFull != isBufferFull {
            isBufferFull = isFull
            news.append(.bufferFull(item: id.description, isFull: isFull))
        }
        let isLikely = isAtEnd || client.isLikelyToKeepUp(from: position, rate: rate, at: now)
        if isLikely != isLikelyToKeepUp {
            isLikelyToKeepUp = isLikely
            news.append(.bufferLikelyToKeepUp(item: id.description, isLikely: isLikely))
        }
        return news
    }

    private mutating func pass(_ event: FetchEvent, _ turn: inout Turn) -> Bool {
        let isNews = lend(&turn) { $0.handle(event, &$1) }
        if let successor = client.successor { client = successor }
        return isNews
    }

    // MARK: What it is told

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, _ turn: inout Turn) { lend(&turn) { $0.move(to: position, &$1) } }

    /// Gives up every request and lets go of what was loaded.
    mutating func stop(_ turn: inout Turn) {
        let position = position
        client = lend(&turn) { $0.stop(at: position, &$1) }
    }

    /// Takes in what the player does with it.
    mutating func follow(_ control: TimeControl, _ turn: inout Turn) { lend(&turn) { $0.follow(control, &$1) } }

    /// Hands on what has come and was kept until there would be more.
    mutating func handOn(_ turn: inout Turn) { lend(&turn) { $0.handOn(&$1) } }

    /// Closes the open entry of its access log, when there is one.
    mutating func close(_ reason: AccessLogEntry.Reason, _ turn: inout Turn) { lend(&turn) { $1.close(reason) } }

    /// Something went wrong with it.
    mutating func record(_ error: PlaybackError, _ turn: inout Turn) {
        lend(&turn) { $1.record(error, uri: $0.playlistURL) }
    }

    private mutating func lend<Result>(
        _ turn: inout Turn,
        _ body: (inout any MediaClient, inout Turn) -> Result
    ) -> Result {
        turn.exchange(&journal, of: id)
        defer { turn.exchange(&journal, of: id) }
        return body(&client, &turn)
    }
}

extension FetchEvent {
    /// How many bytes of a body it brings.
    fileprivate var size: Int { if case .data(_, let bytes) = self { bytes.count } else { 0 } }
}
