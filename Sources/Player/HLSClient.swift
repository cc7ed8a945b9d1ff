internal import Fetch
internal import HLS
internal import Timeline

/// Loads one item: playlist, variant, initialization and segments in order from the playhead.
///
/// Only what `handle` and `update` are told happens; requests and news leave through the turn.
struct HLSClient: Sendable {
    enum Phase: Sendable {
        case idle
        /// The item's own URL is being loaded: a playlist of either kind.
        case entry
        /// The media playlist of the first variant is being loaded.
        case variant
        /// The media playlist of the audio rendition that goes with it is being loaded.
        case audio
        case streaming
        case failed(PlaybackError)
    }

    let item: ItemID
    let url: String
    let settings: PlatformProfile.Loading
    let session: String
    let contentID: String

    var phase = Phase.idle
    var playlist: PlaylistLoad?
    var multivariant: (playlist: MultivariantPlaylist, url: String)?

    /// The audio rendition of each group of the multivariant playlist, as written.
    var sounds: [String: String] = [:]
    var ladder: VariantLadder?
    var variant: Int? {
        didSet { announced = AnnouncedCodecs(variant.flatMap { ladder?.variants[$0].codecs } ?? []) }
    }

    /// What the multivariant playlist says that the variant's media are coded with.
    private(set) var announced = AnnouncedCodecs()

    var change: VariantChange?
    var audioURL: String?
    /// The playlist of the audio rendition that goes with a variant that was changed to.
    var audioChange: PlaylistLoad?
    var subtitles: PlaylistLoad?
    var streams: [StreamLoader] = []
    var keyring = Keyring()
    var meter = ThroughputMeter()

    var timelines = KnownTimelines()

    /// How often a variant was left while playing.
    var changes = 0

    /// The variant that was left last: its playlist, and what was declared for it in bits per second.
    var leftVariant: (url: String, bitrate: Int)?

    /// How many variants failed without media between.
    var failures = 0

    /// Where the playhead was at the last update, and how fast it was to go.
    var pace = (position: Duration.zero, rate: 0.0, at: Instant.zero)

    /// The arrivals of the variant's stream that the choice of a variant has taken into account.
    var judged = 0

    /// Whether the buffer ran out since the last request.
    var isStarved = false

    /// Whether pictures are loaded, where they can be left out.
    var isVideoLoaded = true

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
        self.session = session
        contentID = CommonMediaData.contentID(of: url)
        wantedStart = position
    }

    // MARK: What is there

    /// Whether loading has begun.
    var hasBegun: Bool { if case .idle = phase { false } else { true } }

    /// Whether all playlists are there.
    var isStreaming: Bool { if case .streaming = phase { true } else { false } }

    // Streams are asked in their place: each holds much, and a copy for each question would cost more than the answer.

    /// Whether playback needs a stream.
    private func isNeeded(_ index: Int) -> Bool { streams[index].standing == .needed }

    /// The stream whose timeline and playlist are the item's.
    private var leadIndex: Int? { streams.indices.first(where: isNeeded) ?? streams.indices.first }

    /// The item's timeline; nil until it is known.
    var timeline: SegmentTimeline? { leadIndex.map { streams[$0].timeline } }

    /// Whether the item may still grow, so that it has no duration.
    var isLive: Bool {
        isStreaming && streams.indices.contains { isNeeded($0) && !streams[$0].timeline.isEnded }
    }

    /// How long the item is; nil until its playlists are known, and while it may grow.
    var duration: Duration? {
        guard isStreaming, !isLive else { return nil }
        var longest: Duration?
        for index in streams.indices where isNeeded(index) {
            let end = streams[index].timeline.end
            longest = longest.map { max($0, end) } ?? end
        }
        return longest
    }

    /// What may be sought; nil until the playlists are known.
    var seekable: (start: Duration, end: Duration)? {
        guard isStreaming, let timeline else { return nil }
        return (timeline.start, isLive ? timeline.seekableEnd : duration ?? timeline.end)
    }

    /// Where an item that may grow is joined; nil for another.
    var livePosition: Duration? { isLive ? timeline?.livePosition : nil }

    /// Where playback begins; nil until the playlists are known.
    var start: Duration? {
        timeline.map { min(max(wantedStart ?? $0.joinPosition, $0.start), $0.end) }
    }

    /// What the media were seen to have; nil until a segment of every stream was seen.
    var tracks: ItemTracks? {
        guard isStreaming else { return nil }
        var all = ItemTracks(hasVideo: false, hasAudio: false)
        for index in streams.indices where isNeeded(index) {
            guard let tracks = streams[index].tracks else { return nil }
            all = all.union(tracks)
        }
        return all
    }

    /// Why nothing more will come: fatal at once before the item is ready, later when the buffer has been used up.
    var failure: PlaybackError? {
        if case .failed(let error) = phase { return error }
        for index in streams.indices where isNeeded(index) {
            if let failure = standingFailure(of: index) { return failure }
        }
        return nil
    }

    /// Why a stream's media will never come; nil while what is to take their place is being loaded.
    func standingFailure(of index: Int) -> PlaybackError? {
        let isBeingReplaced = change != nil || streams[index].role == .audio && audioChange != nil
        return isBeingReplaced ? nil : streams[index].failure
    }

    /// Up to where media are there from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration {
        guard isStreaming else { return position }
        var end: Duration?
        var known: Duration?
        for index in streams.indices where streams[index].role != .subtitles {
            // What is not loaded may be longer than what is, and is part of the item all the same.
            let last = streams[index].timeline.end
            known = known.map { max($0, last) } ?? last
            guard isNeeded(index) else { continue }
            let buffered = streams[index].bufferedEnd(from: position)
            end = end.map { min($0, buffered) } ?? buffered
        }
        guard let end, let known else { return position }
        return max(min(known, end), min(position, end))
    }

    /// What there is nothing of at a position, as the playlists say.
    func gaps(at position: Duration) -> MediaGaps {
        var gaps = MediaGaps()
        let hasOwnSound = streams.contains { $0.role == .audio }
        for stream in streams where stream.standing != .idle && stream.isGap(at: position) {
            switch stream.role {
            case .main:
                gaps.ofPictures = true
                if !hasOwnSound { gaps.ofSound = true }
            case .audio: gaps.ofSound = true
            case .subtitles: break
            }
        }
        return gaps
    }

    /// Where after a position a gap begins or ends, as far as that is loaded; nil where none does.
    func gapBorder(after position: Duration) -> Duration? {
        streams.lazy.filter { $0.standing != .idle }.compactMap { $0.gapBorder(after: position) }.min()
    }

    var isLoadedToEnd: Bool { isStreaming && streams.indices.allSatisfy { !isNeeded($0) || streams[$0].isLoadedToEnd } }

    /// Whether loading rests because enough is buffered.
    var isResting: Bool {
        isStreaming
            && streams.indices.allSatisfy { !isNeeded($0) || streams[$0].isResting || streams[$0].isLoadedToEnd }
    }

    /// Whether it is known how fast media load.
    var isSpeedKnown: Bool {
        isStreaming && streams.indices.allSatisfy { !isNeeded($0) || streams[$0].speed.mediaPerSecond != nil }
    }

    /// What the multivariant playlist declares for the variant in use; 0 when it does not.
    var indicatedBitrate: Int {
        guard let variant, let ladder else { return 0 }
        return ladder.variants[variant].averageBandwidth ?? ladder.variants[variant].bandwidth
    }

    /// The media playlist in use, or the item's own URL while that is not known.
    var playlistURL: String { leadIndex.map { streams[$0].playlistURL } ?? url }

    /// The start and the end of the segment that holds a position.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        guard let timeline else { return nil }
        let slot = timeline.slot(timeline.segment(at: position))
        return (slot.start, slot.end)
    }

    /// Where the playhead has to go on when what it needs has left the playlists; nil while that is not so.
    func displacement(from position: Duration) -> Duration? {
        guard isStreaming, bufferedEnd(from: position) <= position, let timeline else { return nil }
        var start = Duration.zero
        var isLost = false
        for index in streams.indices where isNeeded(index) {
            let first = streams[index].timeline.start
            start = max(start, first)
            isLost =
                isLost || position < first && streams[index].timeline.first > 0
                || streams[index].hasFallenBehind && streams[index].bufferedEnd(from: position) <= position
        }
        guard isLost else { return nil }
        return isLive ? max(start, timeline.livePosition) : start
    }

    // MARK: Commands

    /// Begins to load.
    mutating func begin() {
        guard case .idle = phase else { return }
        phase = .entry
        playlist = PlaylistLoad(url: url)
    }

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, _ turn: inout Turn) {
        guard !streams.isEmpty else {
            wantedStart = position
            return
        }
        for index in streams.indices where streams[index].standing != .idle {
            let former = streams[index].transfer != nil
            streams[index].move(to: position, &turn)
            if former, streams[index].transfer == nil { meter.giveUp() }
        }
    }

    /// Gives up every request and lets go of what was loaded; ``begin()`` would load it again from a position on.
    mutating func stop(at position: Duration, _ turn: inout Turn) {
        playlist?.stop(&turn)
        playlist = nil
        change?.stop(&turn)
        change = nil
        audioChange?.stop(&turn)
        audioChange = nil
        subtitles?.stop(&turn)
        subtitles = nil
        keyring.stop(&turn)
        for index in streams.indices { streams[index].stop(&turn) }
        streams = []
        multivariant = nil
        ladder = nil
        variant = nil
        timelines = KnownTimelines()
        meter = ThroughputMeter()
        wantedStart = position
        phase = .idle
    }

}
