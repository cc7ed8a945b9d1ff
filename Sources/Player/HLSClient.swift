internal import Fetch
internal import HLS
internal import Timeline

/// Loads one item: playlist, variant, initialization and segments in order from the playhead.
///
/// Only what `handle` and `update` are told happens; requests and news leave through the output.
struct HLSClient: Sendable {
    enum Phase: Sendable {
        case idle
        /// The item's own URL is being loaded: a playlist of either kind.
        case entry
        /// The media playlist of a variant is being loaded.
        case variant
        /// The media playlist of the audio rendition that goes with it is being loaded.
        case audio
        case streaming
        case failed(PlaybackError)
    }

    let item: ItemID
    let url: String

    let settings: PlatformProfile.Loading
    let cmcd: CommonMediaData
    var phase = Phase.idle
    var playlist: PlaylistLoad?
    var multivariant: (playlist: MultivariantPlaylist, url: String)?
    var candidates: [Variant] = []
    var audioURL: String?
    var streams: [StreamLoader] = []

    /// What the app wishes.
    var wishes = LoadingWishes()

    /// Where to begin; nil leaves it to the playlist.
    var wantedStart: Duration?

    init(
        item: ItemID,
        url: String,
        startingAt position: Duration?,
        settings: PlatformProfile.Loading,
        session: String
    ) {
        self.item = item
        self.url = url
        self.settings = settings
        wantedStart = position
        cmcd = CommonMediaData(session: session)
    }

    // MARK: What is there

    /// Whether loading has begun.
    var hasBegun: Bool { if case .idle = phase { false } else { true } }

    /// How long the item is; nil until its playlists are known.
    var duration: Duration? { isStreaming ? streams.map(\.timeline.duration).max() : nil }

    /// Where playback begins; nil until the playlists are known.
    var start: Duration? {
        streams.first.map { min(wantedStart ?? $0.timeline.preferredStart ?? .zero, $0.timeline.duration) }
    }

    /// What the media were seen to have; nil until a segment of every stream was seen.
    var tracks: ItemTracks? {
        guard isStreaming else { return nil }
        var all = ItemTracks(hasVideo: false, hasAudio: false)
        for stream in streams {
            guard let tracks = stream.tracks else { return nil }
            all = all.union(tracks)
        }
        return all
    }

    /// Why nothing more will come: fatal at once before the item is ready, later when the buffer has been used up.
    var failure: PlaybackError? {
        if case .failed(let error) = phase { return error }
        return streams.lazy.compactMap(\.failure).first
    }

    /// Up to where media are there from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration {
        guard isStreaming, let duration else { return position }
        return min(duration, streams.map { $0.bufferedEnd(from: position) }.min() ?? position)
    }

    var isLoadedToEnd: Bool { isStreaming && streams.allSatisfy(\.isLoadedToEnd) }

    /// Whether loading rests because enough is buffered.
    var isResting: Bool { isStreaming && streams.allSatisfy { $0.isResting || $0.isLoadedToEnd } }

    /// Whether it is known how fast media load.
    var isSpeedKnown: Bool { isStreaming && streams.allSatisfy { $0.speed.mediaPerSecond != nil } }

    /// What the multivariant playlist declares for the variant in use; 0 when it does not.
    var indicatedBitrate = 0

    /// Whether all playlists are there.
    private var isStreaming: Bool { if case .streaming = phase { true } else { false } }

    /// The media playlist in use, or the item's own URL while that is not known.
    var playlistURL: String { streams.first?.playlistURL ?? url }

    /// The start of the segment that holds a position.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        guard let timeline = streams.first?.timeline else { return nil }
        let slot = timeline.slots[timeline.segment(at: position)]
        return (slot.start, slot.end)
    }

    /// Whether playing from a position at a rate is likely to go on without a stall.
    ///
    /// It is when everything is loaded; when enough is buffered; when media load faster than they play and the next
    /// segment comes before the buffer ends; or when what is buffered makes up for the slower loading of all the rest.
    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool {
        guard isStreaming, let duration else { return false }
        let ahead = bufferedEnd(from: position) - position
        guard ahead > .zero else { return false }
        // Where nothing more will come, there is nothing to wait for.
        if isLoadedToEnd || isResting || failure != nil || ahead >= settings.keepUpEnough { return true }
        guard ahead >= settings.keepUpLeast else { return false }
        return streams.allSatisfy { stream in
            if stream.isLoadedToEnd { return true }
            guard let loading = stream.speed.mediaPerSecond else { return false }
            let underway = stream.transfer.map { now - $0.began } ?? .zero
            let waitForNext = stream.nextDuration.seconds / loading - underway.seconds
            let lasts = ahead.seconds / max(rate, 0.01)
            guard lasts >= waitForNext else { return false }
            let speed = loading / max(rate, 0.01)
            return speed >= settings.keepUpMargin || ahead.seconds >= (duration - position).seconds * (1 - speed)
        }
    }

    // MARK: Commands

    /// Begins to load.
    mutating func begin() {
        guard case .idle = phase else { return }
        phase = .entry
        playlist = PlaylistLoad(url: url)
    }

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, output: inout PlayerOutput) {
        guard !streams.isEmpty else {
            wantedStart = position
            return
        }
        for index in streams.indices { streams[index].move(to: position, output: &output) }
    }

    /// Gives up every request and lets go of what was loaded; ``begin()`` would load it again from a position on.
    mutating func stop(at position: Duration, output: inout PlayerOutput) {
        playlist?.stop(output: &output)
        playlist = nil
        for index in streams.indices { streams[index].stop(output: &output) }
        streams = []
        multivariant = nil
        candidates = []
        wantedStart = position
        phase = .idle
    }

    // MARK: Loading

    /// When loading goes on by itself; nil when it does not.
    func nextChange(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        switch phase {
        case .entry, .variant, .audio: playlist?.nextChange
        case .streaming:
            streams.compactMap { $0.nextChange(playhead: playhead, rate: rate, settings: settings, at: now) }.min()
        case .idle, .failed: nil
        }
    }

    /// Begins the requests that are to be made now.
    mutating func update(playhead: Duration, rate: Double, at now: Instant, output: inout PlayerOutput) {
        let maker = RequestMaker(cmcd: cmcd, patience: settings.patience, rate: rate, isStarting: !isSpeedKnown)
        switch phase {
        case .idle, .failed: break
        case .entry, .variant, .audio:
            playlist?.load(at: now, output: &output) { id, url in
                // Until it is known what the item is, its first answer may be a film.
                if case .entry = phase, !EntryAnswer.namesPlaylist(url) { return maker.entry(id, url) }
                return maker.playlist(id, url)
            }
        case .streaming:
            for index in streams.indices {
                let speed = streams[index].speed
                let ahead = streams[index].bufferedEnd(from: playhead) - playhead
                streams[index].load(playhead: playhead, at: now, settings: settings, output: &output) {
                    maker.media($0, $1, $2, $3, ahead: ahead, speed: speed)
                }
            }
        }
    }

    /// Whether a request is one of this client's.
    func owns(_ id: FetchID) -> Bool {
        switch phase {
        case .entry, .variant, .audio: playlist?.transfer?.id == id
        case .streaming: streams.contains { $0.transfer?.id == id }
        case .idle, .failed: false
        }
    }

    /// Takes in news of one of this client's requests.
    mutating func handle(_ event: FetchEvent, at now: Instant, journal: inout ItemJournal, output: inout PlayerOutput) {
        switch phase {
        case .idle, .failed: break
        case .entry:
            guard let result = receive(event, at: now, journal: &journal, output: &output) else { return }
            entryCame(result, at: now, journal: &journal, output: &output)
        case .variant:
            guard let result = receive(event, at: now, journal: &journal, output: &output) else { return }
            variantCame(result, at: now, journal: &journal, output: &output)
        case .audio:
            guard let result = receive(event, at: now, journal: &journal, output: &output) else { return }
            audioCame(result, at: now, journal: &journal, output: &output)
        case .streaming:
            guard let index = streams.firstIndex(where: { $0.transfer?.id == event.id }) else { return }
            streams[index].receive(
                event,
                item: item,
                at: now,
                settings: settings,
                journal: &journal,
                output: &output
            )
        }
    }
}
