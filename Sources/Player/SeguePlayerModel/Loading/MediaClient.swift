internal import SegueBase
internal import SegueFetch

/// A loader of an item's media, one type for each kind of resource.
///
/// Items hold it as a boxed value, and use it in place, without a copy for each call.
protocol MediaClient: Sendable {
    // MARK: State

    var hasBegun: Bool { get }

    /// The duration of the item; nil until it is known, and for an endless one.
    var duration: Duration? { get }

    /// True if it is known to be endless, like a live stream.
    var isEndless: Bool { get }

    /// The position at which playback starts; nil until it is known.
    var start: Duration? { get }

    /// The seekable range; nil until it is known.
    var seekable: (start: Duration, end: Duration)? { get }

    /// The position at which a viewer joins a live item, if known.
    var livePosition: Duration? { get }

    /// The live edge, extrapolated to the present, if known.
    func liveEdge(at now: Instant) -> LiveEdge?

    /// The position at which the playhead must continue if its media are gone from the server; nil while they are not.
    func displacement(from position: Duration) -> Duration?

    /// The interstitials, in the order of the playlist; none if the platform does not play them.
    var interstitials: [ScheduledInterstitial] { get }

    /// The I-frame playlist for scanning at a multiple of normal speed, if any.
    func iFrames(atSpeed speed: Double) -> IFrameSource?

    /// The distance from the end at which a stream with parts plays; nil for other streams.
    var liveDistance: Duration? { get }

    /// The number of variant changes.
    var variantChanges: Int { get }

    /// The last variant that was left, with its declared bit rate.
    var leftVariant: (url: String, bitrate: Int)? { get }

    /// The tracks of the media; nil until they are known.
    var tracks: ItemTracks? { get }

    /// The reason for which no more media will come. It is fatal immediately before the item is ready, and later when
    /// the buffer has run out.
    var failure: PlaybackError? { get }

    /// True if the item fails immediately on a ``failure``, whatever is buffered.
    var failsAtOnce: Bool { get }

    /// Returns the end of the contiguous buffer from a position; the position itself if nothing is buffered.
    func bufferedEnd(from position: Duration) -> Duration

    /// Returns the gaps of the playlists at a position.
    func gaps(at position: Duration) -> MediaGaps

    /// Returns the next position after another one at which a loaded gap begins or ends.
    func gapBorder(after position: Duration) -> Duration?

    /// True if all media have been loaded.
    var isLoadedToEnd: Bool { get }

    /// True if the next media have left a live playlist, so that nothing continues the loaded media.
    var isCutOff: Bool { get }

    /// True if loading is paused because enough is buffered.
    var isResting: Bool { get }

    /// True if the loading speed is known.
    var isSpeedKnown: Bool { get }

    /// The bit rate in the playlist of the variant in use, in bits per second; 0 if there is none.
    var indicatedBitrate: Int { get }

    /// The URL for the access log: the media playlist in use, or the item's own URL.
    var playlistURL: String { get }

    /// Returns the bounds of the segment that contains a position.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)?

    /// Returns the segment boundary at which an item continues after an interstitial that snaps to one.
    func borderToResume(at position: Duration) -> Duration?

    /// Returns whether playback from a position at a rate is likely to continue without a stall.
    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool

    /// Returns the instant at which loading continues without new input.
    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant?

    /// The instant of the next reload of a live playlist.
    var nextReload: Instant? { get }

    /// Returns whether a request belongs to this client.
    func owns(_ id: FetchID) -> Bool

    /// True if it is still unknown whether the item is a playlist.
    var isAtEntry: Bool { get }

    // MARK: Updates

    /// The app's requests about loading.
    var preferences: LoadingPreferences { get set }

    mutating func begin()

    /// Loads from a position on, and releases media before it.
    mutating func move(to position: Duration, _ context: inout StepContext)

    /// Cancels requests for media, which restart when loading resumes.
    mutating func rest(_ context: inout StepContext)

    /// Cancels every request, releases all media, and returns the client that would load the item again from a position
    /// on.
    mutating func stop(at position: Duration, _ context: inout StepContext) -> any MediaClient

    /// Begins the requests that are due.
    mutating func update(playhead: Duration, rate: Double, _ context: inout StepContext)

    /// Reloads live playlists that are due, and nothing else.
    mutating func reload(_ context: inout StepContext)

    /// Handles a stall.
    mutating func starve()

    /// Handles a change of the player's status.
    mutating func follow(_ control: TimeControl, _ context: inout StepContext)

    /// Flushes data of a file or a stream that were held back for more.
    mutating func handOn(_ context: inout StepContext)

    /// Returns the client for an item whose first response is not a playlist but the media; nil if nothing has arrived.
    func progressive(startingAt position: Duration?) -> (any MediaClient)?

    /// Requests the whole playlist if only its first bytes were requested, and returns whether they were.
    mutating func requestPlaylist() -> Bool

    /// The client that replaces this one; nil while none does.
    var successor: (any MediaClient)? { get }

    /// Handles news of one of this client's requests, and returns whether there is something to do.
    mutating func handle(
        _ event: FetchEvent,
        _ context: inout StepContext
    ) -> Bool
}

/// The defaults for clients without the feature.
extension MediaClient {
    var duration: Duration? { nil }

    var isEndless: Bool { false }

    var seekable: (start: Duration, end: Duration)? { nil }

    var livePosition: Duration? { nil }

    func liveEdge(at now: Instant) -> LiveEdge? { nil }

    func displacement(from position: Duration) -> Duration? { nil }

    var interstitials: [ScheduledInterstitial] { [] }

    func borderToResume(at position: Duration) -> Duration? { nil }

    func iFrames(atSpeed speed: Double) -> IFrameSource? { nil }

    var liveDistance: Duration? { nil }

    var variantChanges: Int { 0 }

    var leftVariant: (url: String, bitrate: Int)? { nil }

    var tracks: ItemTracks? { nil }

    func bufferedEnd(from position: Duration) -> Duration { position }

    var failsAtOnce: Bool { false }

    func gaps(at position: Duration) -> MediaGaps { MediaGaps() }

    func gapBorder(after position: Duration) -> Duration? { nil }

    var isLoadedToEnd: Bool { false }

    var isCutOff: Bool { false }

    var isResting: Bool { false }

    var isSpeedKnown: Bool { false }

    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool { false }

    var nextReload: Instant? { nil }

    mutating func reload(_ context: inout StepContext) {}

    var isAtEntry: Bool { false }

    mutating func rest(_ context: inout StepContext) {}

    mutating func starve() {}

    mutating func follow(_ control: TimeControl, _ context: inout StepContext) {}

    mutating func handOn(_ context: inout StepContext) {}

    func progressive(startingAt position: Duration?) -> (any MediaClient)? { nil }

    mutating func requestPlaylist() -> Bool { false }

    var successor: (any MediaClient)? { nil }
}
