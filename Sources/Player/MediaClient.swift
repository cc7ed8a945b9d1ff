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

    // MARK: Commands

    /// What the app wishes of its loading.
    var wishes: LoadingWishes {
        get {
            switch self {
            case .hls(let client): client.wishes
            case .progressive(let client): client.wishes
            }
        }
        set {
            switch consume self {
            case .hls(var client):
                client.wishes = newValue
                self = .hls(client)
            case .progressive(var client):
                client.wishes = newValue
                self = .progressive(client)
            }
        }
    }

    // `consume` hands the client over without a copy of what it holds.

    /// Begins to load.
    mutating func begin() {
        switch consume self {
        case .hls(var client):
            client.begin()
            self = .hls(client)
        case .progressive(var client):
            client.begin()
            self = .progressive(client)
        }
    }

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, output: inout PlayerOutput) {
        switch consume self {
        case .hls(var client):
            client.move(to: position, output: &output)
            self = .hls(client)
        case .progressive(var client):
            client.move(to: position, output: &output)
            self = .progressive(client)
        }
    }

    /// Gives up every request and lets go of what was loaded; ``begin()`` would load it again from a position on.
    mutating func stop(at position: Duration, output: inout PlayerOutput) {
        switch consume self {
        case .hls(var client):
            client.stop(at: position, output: &output)
            self = .hls(client)
        case .progressive(var client):
            client.stop(at: position, output: &output)
            self = .progressive(client)
        }
    }

    /// Begins the requests that are to be made now.
    mutating func update(playhead: Duration, rate: Double, at now: Instant, output: inout PlayerOutput) {
        switch consume self {
        case .hls(var client):
            client.update(playhead: playhead, rate: rate, at: now, output: &output)
            self = .hls(client)
        case .progressive(var client):
            client.update(playhead: playhead, rate: rate, at: now, output: &output)
            self = .progressive(client)
        }
    }

    /// Takes in that the buffer ran out while playing.
    mutating func starve() {
        switch consume self {
        case .hls(var client):
            client.isStarved = true
            self = .hls(client)
        case .progressive(let client): self = .progressive(client)
        }
    }

    /// Takes in what the player does with the item.
    mutating func follow(_ control: TimeControl, output: inout PlayerOutput) {
        switch consume self {
        case .hls(let client): self = .hls(client)
        case .progressive(var client):
            client.follow(control, output: &output)
            self = .progressive(client)
        }
    }

    /// The first answer is no playlist: what has begun to come are the media.
    mutating func becomeProgressive(startingAt position: Duration?) {
        guard case .hls(let client) = self, let transfer = client.playlist?.resource.transfer else { return }
        self = .progressive(ProgressiveClient(of: client, startingAt: position, transfer: transfer))
    }

    /// Takes in news of one of this client's requests.
    ///
    /// - Returns: Whether there is something to do about it.
    mutating func handle(
        _ event: FetchEvent,
        at now: Instant,
        journal: inout ItemJournal,
        output: inout PlayerOutput
    ) -> Bool {
        switch consume self {
        case .hls(var client):
            let isNews = client.handle(event, at: now, journal: &journal, output: &output)
            self = .hls(client)
            return isNews
        case .progressive(var client):
            client.handle(event, at: now, journal: &journal, output: &output)
            self = .progressive(client)
            return true
        }
    }
}
