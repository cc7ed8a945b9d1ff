internal import SegueBase
internal import SegueFetch

/// What loads an item's media, by the kind of thing that its URL turned out to be.
///
/// Items hold it as a boxed value: it is asked and told in its place, without being copied for each question.
protocol MediaClient: Sendable {
    // MARK: What is there

    /// Whether loading has begun.
    var hasBegun: Bool { get }

    /// How long the item is; nil until that is known, and for one without an end.
    var duration: Duration? { get }

    /// Whether it is known to have no end, as a live stream.
    var isEndless: Bool { get }

    /// Where playback begins; nil until that is known.
    var start: Duration? { get }

    /// What may be sought; nil until that is known.
    var seekable: (start: Duration, end: Duration)? { get }

    /// Where something without an end is joined; nil where that is not known, or it has one.
    var livePosition: Duration? { get }

    /// Where something without an end is supposed to end by now; nil where that is not known, or it has one.
    func liveEdge(at now: Instant) -> LiveEdge?

    /// Where the playhead has to go on when what it needs is gone from the server; nil while that is not so.
    func displacement(from position: Duration) -> Duration?

    /// What is to be played in the middle of it, in the order of the playlist; none where the platform plays none.
    var interstitials: [ScheduledInterstitial] { get }

    /// The playlist of I-frames by which it is scanned so many times as fast as normal; nil where it has none.
    func iFrames(atSpeed speed: Double) -> IFrameSource?

    /// How far behind the end of a stream it is played that is followed part by part; nil for others.
    var liveDistance: Duration? { get }

    /// How often another variant was changed to.
    var variantChanges: Int { get }

    /// The variant that was left last: its playlist, and what was declared for it; nil where none was.
    var leftVariant: (url: String, bitrate: Int)? { get }

    /// What the media were seen to have; nil until that is known.
    var tracks: ItemTracks? { get }

    /// Why nothing more will come: fatal at once before the item is ready, later when the buffer has been used up.
    var failure: PlaybackError? { get }

    /// Whether the item fails as soon as there is a ``failure``, whatever is buffered.
    var failsAtOnce: Bool { get }

    /// Up to where media are there from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration

    /// What there is nothing of at a position, as playlists say.
    func gaps(at position: Duration) -> MediaGaps

    /// Where after a position a gap begins or ends, as far as that is loaded; nil where none does.
    func gapBorder(after position: Duration) -> Duration?

    /// Whether all that there is has come.
    var isLoadedToEnd: Bool { get }

    /// Whether what was to come next has left a live playlist, so that nothing joins on to what has come.
    var isCutOff: Bool { get }

    /// Whether loading rests because enough is buffered.
    var isResting: Bool { get }

    /// Whether it is known how fast media load.
    var isSpeedKnown: Bool { get }

    /// What a playlist declares for what is in use, in bits per second; 0 when nothing does.
    var indicatedBitrate: Int { get }

    /// What the access log names: the media playlist in use, or the item's own URL.
    var playlistURL: String { get }

    /// The segment that holds a position; nil where there are none.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)?

    /// The segments' border at which an item goes on after an interstitial that is to go on at one, for a position; nil
    /// where there is none.
    func borderToResume(at position: Duration) -> Duration?

    /// Whether playing from a position at a rate is likely to go on without a stall.
    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool

    /// When loading goes on by itself; nil when it does not.
    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant?

    /// When a playlist is to be loaded again that may grow; nil where there is none.
    var nextReload: Instant? { get }

    /// Whether a request is one of this client's.
    func owns(_ id: FetchID) -> Bool

    /// Whether it is not known yet whether the item is a playlist.
    var isAtEntry: Bool { get }

    // MARK: What it is told

    /// What the app wishes of its loading.
    var wishes: LoadingWishes { get set }

    /// Begins to load.
    mutating func begin()

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, _ turn: inout Turn)

    /// Gives up requests for media, which are made again when loading goes on.
    mutating func rest(_ turn: inout Turn)

    /// Gives up every request and lets go of what was loaded.
    ///
    /// - Returns: Who would load it again from a position on, once told to begin.
    mutating func stop(at position: Duration, _ turn: inout Turn) -> any MediaClient

    /// Begins the requests that are to be made now.
    mutating func update(playhead: Duration, rate: Double, _ turn: inout Turn)

    /// Loads playlists again that may grow, where that is due, and nothing else.
    mutating func reload(_ turn: inout Turn)

    /// Takes in that the buffer ran out while playing.
    mutating func starve()

    /// Takes in what the player does with the item.
    mutating func follow(_ control: TimeControl, _ turn: inout Turn)

    /// Hands on what has come of a file or a stream and was kept until there would be more.
    mutating func handOn(_ turn: inout Turn)

    /// Who loads an item whose first answer is no playlist: what has begun to come are the media; nil where nothing has.
    func progressive(startingAt position: Duration?) -> (any MediaClient)?

    /// Who goes on with the item from here; nil while this client does.
    var successor: (any MediaClient)? { get }

    /// Takes in news of one of this client's requests.
    ///
    /// - Returns: Whether there is something to do about it.
    mutating func handle(
        _ event: FetchEvent,
        _ turn: inout Turn
    ) -> Bool
}

/// What a client answers of which nothing is known, or that it has not.
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

    mutating func reload(_ turn: inout Turn) {}

    var isAtEntry: Bool { false }

    mutating func rest(_ turn: inout Turn) {}

    mutating func starve() {}

    mutating func follow(_ control: TimeControl, _ turn: inout Turn) {}

    mutating func handOn(_ turn: inout Turn) {}

    func progressive(startingAt position: Duration?) -> (any MediaClient)? { nil }

    var successor: (any MediaClient)? { nil }
}
