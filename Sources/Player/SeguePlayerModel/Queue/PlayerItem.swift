internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

package struct PlayerItem: Sendable {
    package enum Status: Sendable, Equatable {
        case unknown
        case readyToPlay
        /// Permanent: a new item is needed.
        case failed(PlaybackError)

        package var name: String {
            switch self {
            case .unknown: "unknown"
            case .readyToPlay: "readyToPlay"
            case .failed: "failed"
            }
        }
    }

    /// The properties known so far.
    struct Known: Sendable {
        var status = Status.unknown
        var tracks: ItemTracks?
        var duration: Duration?

        /// True if the start position is known.
        var isPositionKnown: Bool

        /// True if the item starts exactly at the requested position, or the start position is known; otherwise, it
        /// starts at the start of that segment.
        var isStartExact: Bool

        /// The number of variant changes in the access log.
        var changes = 0

        /// The number of errors that the app has been notified of.
        var shownErrors = 0
    }

    /// The state of the buffer.
    struct Buffer: Sendable, Equatable {
        var isEmpty = true
        var isLikelyToKeepUp = false
        var isFull = false
    }

    /// The relation of a preloaded item to the current one.
    struct Companionship: Sendable {
        /// The current item, at whose playhead this one loads to replace it.
        let leader: ItemID

        /// The position from which it last loaded; nil for its start.
        var aim: Duration?
    }

    package let id: ItemID

    /// The URL that it was created with.
    package let url: String

    /// The player that it was inserted into; nil before.
    var player: Int?

    var known: Known
    private var buffer = Buffer()

    package internal(set) var journal = ItemJournal()

    /// The position of its playhead at the last step.
    ///
    /// ``QueuePlayer/position(at:)`` is the present one.
    package internal(set) var position: Duration

    /// True if any of it was played.
    package internal(set) var hasBegun = false

    /// True if it has played to its end, with no action since.
    var hasEnded = false

    package internal(set) var isVideoEnabled = true

    /// The number of stalls.
    private(set) var stalls = 0

    /// The relation to the current item; nil for an item that waits in the queue.
    var companionship: Companionship?

    /// The seek in progress, if any.
    var seek: ItemSeek?

    /// The position at which it continues after an interstitial; nil for the playhead.
    var resumption: Duration?

    /// The distance from the live edge that was last chosen explicitly.
    var chosenDistance: Duration?

    /// The position at which its playhead first ran.
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

    // MARK: Status

    package var status: Status { known.status }

    /// Its tracks; known before ``status`` becomes `readyToPlay`.
    package var tracks: ItemTracks? { known.tracks }

    /// Its duration; known before ``status`` becomes `readyToPlay`, but nil for a live item.
    package var duration: Duration? { known.duration }

    /// True if nothing is buffered at the playhead.
    package var isBufferEmpty: Bool { buffer.isEmpty }

    /// True if playback is likely to continue without a stall.
    package var isLikelyToKeepUp: Bool { buffer.isLikelyToKeepUp }

    /// True if loading is paused because enough is buffered.
    package var isBufferFull: Bool { buffer.isFull }

    /// The current item that this preloaded item will replace, if any.
    var companion: ItemID? { companionship?.leader }

    /// The error that it failed with, or will fail with when its buffer runs out.
    package var error: PlaybackError? {
        if case .failed(let error) = status { return error }
        return client.failure
    }

    /// Returns its known tracks, with or without disabled video.
    func shownTracks(countingDisabled: Bool) -> ItemTracks? {
        tracks.map { ItemTracks(hasVideo: $0.hasVideo && (isVideoEnabled || countingDisabled), hasAudio: $0.hasAudio) }
    }

    /// True if its video is selected, if it can play without.
    package var isVideoWanted: Bool { client.preferences.isVideoWanted }

    /// True if video plays while it plays.
    var playsPictures: Bool { (tracks?.hasVideo ?? false) && isVideoEnabled && isVideoWanted }

    package var isFailed: Bool { if case .failed = status { true } else { false } }

    /// The position at which media are needed next: that of a seek, that after an interstitial, or the playhead.
    var loadingPosition: Duration { seek?.landing ?? resumption ?? position }

    /// The end of the contiguous buffer from the playhead.
    package var bufferedEnd: Duration { client.bufferedEnd(from: position) }

    /// The contiguous buffer from the position at which media are needed next, if any.
    package var loaded: Range<Duration>? {
        let end = client.bufferedEnd(from: loadingPosition)
        return end > loadingPosition ? loadingPosition..<end : nil
    }

    /// The seekable range, once it is known.
    package var seekable: Range<Duration>? { client.seekable.flatMap { $0.start < $0.end ? $0.start..<$0.end : nil } }

    /// True if the playhead is at its end.
    var isAtEnd: Bool { isEnd(position) }

    func isEnd(_ position: Duration) -> Bool { duration.map { position >= $0 } ?? false }

    // MARK: Updates

    /// Begins to load.
    mutating func begin() { client.begin() }

    /// Changes the app's requests about loading.
    mutating func changePreferences(_ change: (inout LoadingPreferences) -> Void) { change(&client.preferences) }

    /// Begins the requests that are due.
    mutating func update(rate: Double, _ context: inout StepContext) {
        let playhead = loadingPosition
        lend(&context) { $0.update(playhead: playhead, rate: rate, &$1) }
    }

    /// Reloads live playlists that are due, and nothing else.
    mutating func reload(_ context: inout StepContext) { lend(&context) { $0.reload(&$1) } }

    /// Handles news of one of its requests, and returns whether there is something to do.
    mutating func handle(_ event: FetchEvent, _ context: inout StepContext) -> Bool {
        guard client.isAtEntry else { return pass(event, &context) }
        switch entry.receive(event) {
        case .nothing: return false
        case .passed: return pass(event, &context)
        case .tooLarge(let error):
            context.cancel(event.id)
            return pass(.failed(event.id, error), &context)
        case .known(let kind, let events):
            if kind == .media, let progressive = client.progressive(startingAt: known.isPositionKnown ? position : nil)
            {
                client = progressive
            }
            var isNews = kind == .media
            for event in events {
                let isOfNote = pass(event, &context)
                if event.isOutcome { isNews = isOfNote }
            }
            return isNews
        }
    }

    private mutating func pass(_ event: FetchEvent, _ context: inout StepContext) -> Bool {
        let isNews = lend(&context) { $0.handle(event, &$1) }
        if let successor = client.successor { client = successor }
        return isNews
    }

    /// Loads from a position on, and releases media before it.
    mutating func move(to position: Duration, _ context: inout StepContext) {
        lend(&context) { $0.move(to: position, &$1) }
    }

    /// Cancels requests for media, which restart when loading resumes.
    mutating func rest(_ context: inout StepContext) { lend(&context) { $0.rest(&$1) } }

    /// Cancels every request, and releases all media.
    mutating func stop(_ context: inout StepContext) {
        let position = position
        client = lend(&context) { $0.stop(at: position, &$1) }
    }

    /// Handles a change of the player's status.
    mutating func follow(_ control: TimeControl, _ context: inout StepContext) {
        lend(&context) { $0.follow(control, &$1) }
    }

    /// Flushes data that were held back for more.
    mutating func handOn(_ context: inout StepContext) { lend(&context) { $0.handOn(&$1) } }

    /// Handles a stall.
    mutating func stall(_ context: inout StepContext) {
        context.log(.itemStalled(item: id.description, position: position.seconds))
        context.notify(.itemStalled(id))
        journal.update(uri: client.playlistURL, at: context.now) { $0.stalls += 1 }
        stalls += 1
        client.starve()
        close(.stall, &context)
    }

    /// Closes the open entry of its access log, if any.
    mutating func close(_ reason: AccessLogEntry.Reason, _ context: inout StepContext) {
        lend(&context) { $1.close(reason) }
    }

    mutating func record(_ error: PlaybackError, _ context: inout StepContext) {
        lend(&context) { $1.record(error, uri: $0.playlistURL) }
    }

    /// Updates the state of the buffer.
    mutating func noteBuffer(rate: Double, _ context: inout StepContext) {
        let position = loadingPosition
        var now = Buffer()
        now.isEmpty = client.bufferedEnd(from: position) <= position && !isEnd(position)
        now.isFull = client.isResting
        now.isLikelyToKeepUp = isEnd(position) || client.isLikelyToKeepUp(from: position, rate: rate, at: context.now)
        let former = buffer
        guard now != former else { return }
        buffer = now
        let name = id.description
        if now.isEmpty != former.isEmpty { context.log(.bufferEmpty(item: name, isEmpty: now.isEmpty)) }
        if now.isFull != former.isFull { context.log(.bufferFull(item: name, isFull: now.isFull)) }
        if now.isLikelyToKeepUp != former.isLikelyToKeepUp {
            context.log(.bufferLikelyToKeepUp(item: name, isLikely: now.isLikelyToKeepUp))
        }
    }

    /// Runs an operation of its client with its logs in the step context.
    private mutating func lend<Result>(
        _ context: inout StepContext,
        _ body: (inout any MediaClient, inout StepContext) -> Result
    ) -> Result {
        context.exchange(&journal, of: id)
        defer { context.exchange(&journal, of: id) }
        return body(&client, &context)
    }
}
