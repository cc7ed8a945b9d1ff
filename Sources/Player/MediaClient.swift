internal import Fetch
internal import Timeline

/// What loads an item's media, by the kind of thing that its URL turned out to be.
enum MediaClient: Sendable {
    /// A playlist; also while it is not known yet what the URL is.
    case hls(HLSClient)
    /// A file, or an endless stream.
    case progressive(ProgressiveClient)

    // MARK: What is there

    /// Whether loading has begun.
    var hasBegun: Bool {
        switch self {
        case .hls(let client): client.hasBegun
        case .progressive(let client): client.hasBegun
        }
    }

    /// How long the item is; nil until that is known, and for one without an end.
    var duration: Duration? {
        switch self {
        case .hls(let client): client.duration
        case .progressive(let client): client.duration
        }
    }

    /// Whether it is known to have no end, as a live stream.
    var isEndless: Bool {
        switch self {
        case .hls(let client): client.isLive
        case .progressive(let client): client.isEndless
        }
    }

    /// Where playback begins; nil until that is known.
    var start: Duration? {
        switch self {
        case .hls(let client): client.start
        case .progressive(let client): client.start
        }
    }

    /// What may be sought; nil until that is known.
    var seekable: (start: Duration, end: Duration)? {
        switch self {
        case .hls(let client): client.seekable
        case .progressive(let client): client.seekable
        }
    }

    /// Where something without an end is joined; nil where that is not known, or it has one.
    var livePosition: Duration? {
        switch self {
        case .hls(let client): client.livePosition
        case .progressive: nil
        }
    }

    /// Where the playhead has to go on when what it needs is gone from the server; nil while that is not so.
    func displacement(from position: Duration) -> Duration? {
        switch self {
        case .hls(let client): client.displacement(from: position)
        case .progressive: nil
        }
    }

    /// How often another variant was changed to.
    var variantChanges: Int {
        switch self {
        case .hls(let client): client.changes
        case .progressive: 0
        }
    }

    /// The variant that was left last: its playlist, and what was declared for it; nil where none was.
    var leftVariant: (url: String, bitrate: Int)? {
        switch self {
        case .hls(let client): client.leftVariant
        case .progressive: nil
        }
    }

    /// What the media were seen to have; nil until that is known.
    var tracks: ItemTracks? {
        switch self {
        case .hls(let client): client.tracks
        case .progressive(let client): client.tracks
        }
    }

    /// Why nothing more will come: fatal at once before the item is ready, later when the buffer has been used up.
    var failure: PlaybackError? {
        switch self {
        case .hls(let client): client.failure
        case .progressive(let client): client.failure
        }
    }

    /// Up to where media are there from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration {
        switch self {
        case .hls(let client): client.bufferedEnd(from: position)
        case .progressive(let client): client.bufferedEnd(from: position)
        }
    }

    /// What there is nothing of at a position, as playlists say.
    func gaps(at position: Duration) -> MediaGaps {
        switch self {
        case .hls(let client): client.gaps(at: position)
        case .progressive: MediaGaps()
        }
    }

    /// Where after a position a gap begins or ends, as far as that is loaded; nil where none does.
    func gapBorder(after position: Duration) -> Duration? {
        switch self {
        case .hls(let client): client.gapBorder(after: position)
        case .progressive: nil
        }
    }

    /// Whether all that there is has come.
    var isLoadedToEnd: Bool {
        switch self {
        case .hls(let client): client.isLoadedToEnd
        case .progressive(let client): client.isLoadedToEnd
        }
    }

    /// Whether loading rests because enough is buffered.
    var isResting: Bool {
        switch self {
        case .hls(let client): client.isResting
        case .progressive(let client): client.isResting
        }
    }

    /// Whether it is known how fast media load.
    var isSpeedKnown: Bool {
        switch self {
        case .hls(let client): client.isSpeedKnown
        case .progressive(let client): client.isSpeedKnown
        }
    }

    /// What a playlist declares for what is in use, in bits per second; 0 when nothing does.
    var indicatedBitrate: Int {
        switch self {
        case .hls(let client): client.indicatedBitrate
        case .progressive(let client): client.bitrate
        }
    }

    /// What the access log names: the media playlist in use, or the item's own URL.
    var playlistURL: String {
        switch self {
        case .hls(let client): client.playlistURL
        case .progressive(let client): client.url
        }
    }

    /// The segment that holds a position; nil where there are none.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        switch self {
        case .hls(let client): client.segmentBounds(at: position)
        case .progressive(let client): client.segmentBounds(at: position)
        }
    }

    /// Whether playing from a position at a rate is likely to go on without a stall.
    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool {
        switch self {
        case .hls(let client): client.isLikelyToKeepUp(from: position, rate: rate, at: now)
        case .progressive(let client): client.isLikelyToKeepUp(from: position, rate: rate, at: now)
        }
    }

    /// When loading goes on by itself; nil when it does not.
    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        switch self {
        case .hls(let client): client.nextChange(playhead: playhead, rate: rate, at: now)
        case .progressive(let client): client.nextChange(playhead: playhead, rate: rate, at: now)
        }
    }

    /// Whether a request is one of this client's.
    func owns(_ id: FetchID) -> Bool {
        switch self {
        case .hls(let client): client.owns(id)
        case .progressive(let client): client.owns(id)
        }
    }

    /// Whether it is not known yet whether the item is a playlist.
    var isAtEntry: Bool {
        if case .hls(let client) = self, case .entry = client.phase { true } else { false }
    }
}
