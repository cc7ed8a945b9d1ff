internal import SegueBase
internal import SegueEvents
internal import SegueFetch

/// The media of an item: its client, which loads them, and its logs.
struct ItemMedia: Sendable {
    let item: ItemID

    private(set) var client: any MediaClient
    private(set) var journal = ItemJournal()
    private var entry: ItemEntry

    init(_ source: MediaSource, startingAt start: Duration?) {
        item = source.item
        entry = ItemEntry(url: source.url)
        client = HLSOpening(source, startingAt: start)
    }

    // MARK: Loading

    /// Begins to load.
    mutating func begin() { client.begin() }

    /// Changes the app's requests about loading.
    mutating func changePreferences(_ change: (inout LoadingPreferences) -> Void) { change(&client.preferences) }

    /// Begins the requests that are due.
    mutating func update(playhead: Duration, rate: Double, _ context: inout StepContext) {
        lend(&context) { $0.update(playhead: playhead, rate: rate, &$1) }
    }

    /// Reloads live playlists that are due, and nothing else.
    mutating func reload(_ context: inout StepContext) { lend(&context) { $0.reload(&$1) } }

    /// Handles news of one of its requests, and returns whether there is something to do.
    ///
    /// - Parameters:
    ///   - position: The start position, if it is known.
    mutating func handle(_ event: FetchEvent, startingAt position: Duration?, _ context: inout StepContext) -> Bool {
        guard client.isAtEntry else { return pass(event, &context) }
        switch entry.receive(event) {
        case .nothing: return false
        case .passed: return pass(event, &context)
        case .tooLarge(let error):
            context.cancel(event.id)
            return pass(.failed(event.id, error), &context)
        case .known(let kind, let events):
            if kind == .playlist, client.requestPlaylist() {
                if !event.isOutcome { context.cancel(event.id) }
                entry = ItemEntry(url: client.playlistURL)
                return true
            }
            if kind == .media, let progressive = client.progressive(startingAt: position) { client = progressive }
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
    mutating func stop(at position: Duration, _ context: inout StepContext) {
        client = lend(&context) { $0.stop(at: position, &$1) }
    }

    /// Handles a change of the player's status.
    mutating func follow(_ control: TimeControl, _ context: inout StepContext) {
        lend(&context) { $0.follow(control, &$1) }
    }

    /// Flushes data that were held back for more.
    mutating func handOn(_ context: inout StepContext) { lend(&context) { $0.handOn(&$1) } }

    /// Runs an operation of its client with its logs in the step context.
    private mutating func lend<Result>(
        _ context: inout StepContext,
        _ body: (inout any MediaClient, inout StepContext) -> Result
    ) -> Result {
        context.exchange(&journal, of: item)
        defer { context.exchange(&journal, of: item) }
        return body(&client, &context)
    }

    // MARK: Logs

    /// Runs an operation with its logs in the step context.
    mutating func lendLogs<Result>(_ context: inout StepContext, _ body: (inout StepContext) -> Result) -> Result {
        lend(&context) { body(&$1) }
    }

    /// Closes the open entry of the access log, if any.
    mutating func close(_ reason: AccessLogEntry.Reason, _ context: inout StepContext) {
        lend(&context) { $1.close(reason) }
    }

    mutating func record(_ error: PlaybackError, _ context: inout StepContext) {
        lend(&context) { $1.record(error, uri: $0.playlistURL) }
    }

    /// Handles the start of the playhead, with the time since the play command.
    mutating func notePlaying(startup: Duration?, at now: Instant) {
        journal.notePlaying(client.playlistURL, bitrate: client.indicatedBitrate, startup: startup, at: now)
    }

    /// Counts media that were played.
    mutating func noteWatched(_ length: Duration, at now: Instant) {
        journal.update(uri: client.playlistURL, at: now) { $0.watched += max(.zero, length) }
    }

    /// Counts a stall, after which the client requests the most urgent media first.
    mutating func stall(_ context: inout StepContext) {
        journal.update(uri: client.playlistURL, at: context.now) { $0.stalls += 1 }
        client.starve()
        close(.stall, &context)
    }

    /// Begins an access log entry for another variant.
    mutating func noteChange(_ context: inout StepContext) {
        if let left = client.leftVariant { journal.noteLeft(left.url, bitrate: left.bitrate, at: context.now) }
        close(.variantSwitch, &context)
        let indicated = client.indicatedBitrate
        journal.update(uri: client.playlistURL, at: context.now) { $0.indicatedBitrate = indicated }
    }
}
