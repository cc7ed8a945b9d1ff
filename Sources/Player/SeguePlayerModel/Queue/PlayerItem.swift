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

    package let id: ItemID

    /// The URL that it was created with.
    package let url: String

    /// The player that it was inserted into; nil before.
    var player: Int?

    /// The codes of ``reportedError``.
    private let errorCodes: PlatformProfile.ErrorCodes

    var facts: ItemFacts
    private var buffer = ItemBuffer()

    /// The position of its playhead at the last step.
    ///
    /// ``QueuePlayer/position(at:)`` is the present one.
    package internal(set) var position: Duration

    /// True if it has played to its end, with no action since.
    var hasEnded = false

    package internal(set) var isVideoEnabled = true

    /// The relation to the current item; nil for an item that waits in the queue.
    var companionship: ItemCompanionship?

    /// The positions other than its playhead that it is to play from.
    var aim = ItemAim()

    /// The position at which its playhead first ran; nil if none of it was played.
    private(set) var began: Duration?

    var media: ItemMedia

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
        errorCodes = settings.reporting.errorCodes
        facts = ItemFacts(isPositionKnown: start != nil, isStartExact: isExact)
        position = start ?? .zero
        media = ItemMedia(MediaSource(item: id, url: url, settings: settings, session: session), startingAt: start)
    }

    // MARK: Status

    var client: any MediaClient { media.client }

    /// The access log and the error log.
    package var journal: ItemJournal { media.journal }

    package var status: Status { facts.status }

    /// Its tracks; known before ``status`` becomes `readyToPlay`.
    package var tracks: ItemTracks? { facts.tracks }

    /// Its duration; known before ``status`` becomes `readyToPlay`, but nil for a live item.
    package var duration: Duration? { facts.duration }

    /// True if nothing is buffered at the playhead.
    package var isBufferEmpty: Bool { buffer.state.isEmpty }

    /// True if playback is likely to continue without a stall.
    package var isLikelyToKeepUp: Bool { buffer.state.isLikelyToKeepUp }

    /// True if loading is paused because enough is buffered.
    package var isBufferFull: Bool { buffer.state.isFull }

    /// The number of stalls.
    var stalls: Int { buffer.stalls }

    /// True if any of it was played.
    package var hasBegun: Bool { began != nil }

    /// The seek in progress, if any.
    var seek: ItemSeek? { aim.seek }

    /// The current item that this preloaded item will replace, if any.
    var companion: ItemID? { companionship?.leader }

    /// The error that it failed with, or will fail with when its buffer runs out.
    package var error: PlaybackError? {
        if case .failed(let error) = status { return error }
        return client.failure
    }

    /// The ``error`` in the codes of the platform.
    package var reportedError: PlaybackError? { error?.reported(as: errorCodes) }

    /// Returns its known tracks, with or without disabled video.
    func shownTracks(countingDisabled: Bool) -> ItemTracks? {
        tracks.map { ItemTracks(hasVideo: $0.hasVideo && (isVideoEnabled || countingDisabled), hasAudio: $0.hasAudio) }
    }

    /// True if its video is selected, if it can play without.
    package var isVideoWanted: Bool { client.preferences.isVideoWanted }

    /// True if video plays while it plays.
    var playsVideo: Bool { (tracks?.hasVideo ?? false) && isVideoEnabled && isVideoWanted }

    package var isFailed: Bool { if case .failed = status { true } else { false } }

    /// The position at which media are needed next: that of a seek, that after an interstitial, or the playhead.
    var loadingPosition: Duration { aim.position ?? position }

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

    /// Handles the start of its playhead.
    mutating func beginPlaying() { if began == nil { began = position } }

    /// Begins the requests that are due.
    mutating func update(rate: Double, _ context: inout StepContext) {
        media.update(playhead: loadingPosition, rate: rate, &context)
    }

    /// Handles news of one of its requests, and returns whether there is something to do.
    mutating func handle(_ event: FetchEvent, _ context: inout StepContext) -> Bool {
        media.handle(event, startingAt: facts.isPositionKnown ? position : nil, &context)
    }

    /// Loads from a position on, and releases media before it.
    mutating func move(to position: Duration, _ context: inout StepContext) { media.move(to: position, &context) }

    /// Cancels every request, and releases all media.
    mutating func stop(_ context: inout StepContext) { media.stop(at: position, &context) }

    /// Handles a stall.
    mutating func stall(_ context: inout StepContext) {
        context.log(.itemStalled(item: id.description, position: position.seconds))
        context.notify(.itemStalled(id))
        buffer.stall()
        media.stall(&context)
    }

    /// Closes the open entry of its access log, if any.
    mutating func close(_ reason: AccessLogEntry.Reason, _ context: inout StepContext) {
        media.close(reason, &context)
    }

    /// Updates the state of the buffer.
    mutating func noteBuffer(rate: Double, _ context: inout StepContext) {
        let position = loadingPosition
        let new = ItemBuffer.State(
            isEmpty: client.bufferedEnd(from: position) <= position && !isEnd(position),
            isLikelyToKeepUp: isEnd(position)
                || client.isLikelyToKeepUp(from: position, rate: rate, at: context.now),
            isFull: client.isResting
        )
        buffer.update(to: new, of: id, &context)
    }
}
