internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Loads the streams of an item whose playlists are there: initializations and segments in order from the playhead, and
/// other variants where these serve better.
///
/// Only what `handle` and `update` are told happens; requests and news leave through the turn.
struct HLSStreaming: Sendable {
    /// The audio rendition of its own.
    struct Sound: Sendable {
        /// Its playlist; nil where the variant's own media have the sound.
        var url: String?
        /// That of a variant which was changed to, while it is being loaded.
        var change: PlaylistLoad?
    }

    /// Where the playhead was at the last update, and how fast it was to go.
    struct Pace: Sendable {
        var position = Duration.zero
        var rate = 0.0
        var at = Instant.zero
    }

    let source: MediaSource

    /// Where it was to begin; nil where that was left to the playlist.
    let wantedStart: Duration?

    var record: HLSRecord

    /// The variants; nil where there is but one.
    var variants: VariantCourse?

    var sound: Sound
    var subtitles: PlaylistLoad?
    var streams: StreamSet

    /// What is looked into of the other variants before playing begins.
    var probes = VariantProbes()

    var meter = ThroughputMeter()
    var pace = Pace()

    /// When playing may begin, where something has to be over before; nil until it is.
    var startsAt: Instant?

    // MARK: What will not come

    /// Why a stream's media will never come; nil while what is to take their place is being loaded.
    func failure(of index: Int) -> PlaybackError? {
        let isBeingReplaced = variants?.change != nil || streams.all[index].role == .audio && sound.change != nil
        return isBeingReplaced ? nil : streams.all[index].failure
    }

    private func failure(where matters: (Int) -> Bool) -> PlaybackError? {
        for index in streams.all.indices where matters(index) {
            if let failure = failure(of: index) { return failure }
        }
        return nil
    }

    /// Why the variant or its sound is to be left; nil where it is not.
    private var failureToLeave: PlaybackError? {
        failure { streams.all[$0].role != .subtitles && streams.all[$0].standing != .idle }
    }

    // MARK: Variants

    private var wanted: VariantChoice.Wanted {
        VariantChoice.Wanted(
            peak: record.wishes.peakBitrate,
            pictures: record.isVideoLoaded,
            soundApart: sound.url != nil,
            isSoundLost: streams.all.indices.contains { streams.all[$0].role == .audio && failure(of: $0) != nil }
        )
    }

    mutating func chooseVariant(playhead: Duration, _ turn: inout Turn) {
        guard variants != nil, let main = streams.main else { return }
        let (failure, wanted) = (failureToLeave, wanted)
        variants?.choose(
            after: streams.all[main],
            playhead: playhead,
            failure: failure,
            estimate: meter.bitsPerSecond,
            wanted,
            at: turn.now
        )
        finishChange(&turn)
        variants?.avoidGap(of: streams.all[main], wanted, at: turn.now)
        finishChange(&turn)
    }

    /// Changes the variant when its playlist is there and no segment of the former one is under way.
    mutating func finishChange(_ turn: inout Turn) {
        guard let (timeline, url, began) = variants?.change?.arrived, let main = streams.main,
            !streams.all[main].isLoading,
            let (former, next) = variants?.finish(leaving: streams.all[main].playlist.url)
        else { return }
        streams.all[main].change(to: timeline, from: url, at: pace.position, &turn)
        streams.all[main].speed.scale(fromBitrate: former.bandwidth, to: next.bandwidth)
        if let began { streams.all[main].playlist.came(began: began) }
        turn.log(.playlistVariantChosen(item: source.item.description, url: url, bandwidth: next.bandwidth))
        // Another variant's audio rendition takes over where the former one's sound ends.
        guard let address = variants?.choice.audio(of: next), address != sound.url else { return }
        sound.change?.stop(&turn)
        let asking = streams.all.first { $0.role == .audio }?.playlist.timeline.asking(of: address, turn.settings)
        sound = Sound(url: address, change: PlaylistLoad(url: address, asking: asking))
    }

    /// Gives up a segment that will come after the buffer has been used up, where a lower variant's would come before.
    ///
    /// - Returns: Whether it did.
    mutating func abandonLate(_ turn: inout Turn) -> Bool {
        guard source.settings.adapting.rescuesLateSegments, variants?.mayBeLeft == true, pace.rate > 0,
            let main = streams.main,
            let transfer = streams.all[main].request.transfer, let slot = streams.all[main].nextSlot
        else { return false }
        let played = (turn.now - pace.at).seconds * pace.rate
        let position = pace.position + .nanoseconds(Int64(played * 1e9))
        let ahead = (streams.bufferedEnd(from: pace.position) - position).seconds / pace.rate
        let race = VariantCourse.Race(seconds: ahead, wanted: wanted, timeline: streams.all[main].playlist.timeline)
        guard variants?.rescue(from: transfer, duration: slot.duration, race, at: turn.now) == true else {
            return false
        }
        meter.end(at: turn.now)
        streams.all[main].stop(&turn)
        finishChange(&turn)
        return true
    }

    // MARK: Pictures

    /// Begins or ends loading pictures as the app wishes, without touching the sound.
    ///
    /// Where the sound is a rendition of its own, the variant's media are let go of, and the very same audio plays on;
    /// pictures come back beside it once they are loaded as far as it plays. Where it is not, the choice of variants
    /// keeps to those of sound alone while pictures are not wanted, if there are any.
    mutating func heedVideoWish(_ turn: inout Turn) {
        guard record.wishes.isVideoWanted != record.isVideoLoaded else { return }
        record.isVideoLoaded = record.wishes.isVideoWanted
        guard sound.url != nil, let main = streams.main else {
            // The next look chooses again.
            variants?.record.judged = -1
            return
        }
        if record.isVideoLoaded {
            streams.all[main].takeUp(at: pace.position, &turn)
        } else {
            if streams.all[main].isLoading { meter.giveUp() }
            streams.all[main].layDown(&turn)
            variants?.stop(&turn)
        }
    }
}

extension HLSStreaming: MediaClient {
    var hasBegun: Bool { true }

    var isEndless: Bool { streams.isLive }

    var duration: Duration? { streams.duration }

    var start: Duration? { streams.start(wanted: wantedStart) }

    var seekable: (start: Duration, end: Duration)? {
        guard let timeline = streams.timeline else { return nil }
        return (timeline.start, streams.isLive ? timeline.seekableEnd : duration ?? timeline.end)
    }

    var livePosition: Duration? { streams.isLive ? streams.timeline?.livePosition : nil }

    func liveEdge(at now: Instant) -> LiveEdge? { streams.liveEdge(isJoined: wantedStart == nil, at: now) }

    var liveDistance: Duration? { streams.timeline?.partTimeline?.holdBack }

    var interstitials: [ScheduledInterstitial] {
        source.settings.support.interstitials == .played ? streams.interstitials : []
    }

    func borderToResume(at position: Duration) -> Duration? { streams.borderToResume(at: position) }

    func displacement(from position: Duration) -> Duration? { streams.displacement(from: position) }

    var variantChanges: Int { variants?.record.changes ?? record.variants.changes }

    var leftVariant: (url: String, bitrate: Int)? { variants?.record.left ?? record.variants.left }

    var tracks: ItemTracks? { streams.tracks }

    var failure: PlaybackError? { failure(where: streams.isNeeded) }

    func bufferedEnd(from position: Duration) -> Duration {
        let starting = source.settings.starting
        if buffering.counts == .blocks, !isCutOff { return streams.bufferedEnd(from: position, handedOnBy: buffering) }
        let end = streams.bufferedEnd(from: position)
        let decoded = buffering.decoded
        return decoded == .zero || isLoadedToEnd || isCutOff ? end : max(min(position, end), end - decoded)
    }

    func gaps(at position: Duration) -> MediaGaps { streams.gaps(at: position) }

    func gapBorder(after position: Duration) -> Duration? { streams.gapBorder(after: position) }

    var isLoadedToEnd: Bool { streams.isLoadedToEnd }

    var isCutOff: Bool { streams.isCutOff }

    var isResting: Bool { streams.isResting }

    var isSpeedKnown: Bool { streams.isSpeedKnown }

    var indicatedBitrate: Int { variants?.choice.indicatedBitrate ?? 0 }

    var playlistURL: String { streams.playlistURL ?? source.url }

    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        streams.segmentBounds(at: position)
    }

    /// Whether playing from a position at a rate is likely to go on without a stall.
    ///
    /// It is when everything is loaded, or all that a live playlist names so far; when enough is buffered; or when what
    /// comes will keep ahead.
    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool {
        let ahead = bufferedEnd(from: position) - position
        guard ahead > .zero, mayStart(at: now) else { return false }
        // Where nothing more will come, there is nothing to wait for.
        if isLoadedToEnd || isResting || isCutOff || failure != nil { return true }
        if let enough = startEnough { return ahead >= enough }
        if ahead >= source.settings.starting.keepUpEnough { return true }
        // So near to the end no more than that can ever be there.
        let most = liveDistance.map { $0 / 2 } ?? source.settings.starting.keepUpLeast
        guard ahead >= min(source.settings.starting.keepUpLeast, most) else { return false }
        let margin = source.settings.starting.keepUpMargin
        return streams.keepUp(from: position, rate: rate, ahead: ahead, margin: margin, at: now)
    }

    /// As much ahead of the playhead as will do where the platform counts segments; nil where it does not.
    private var startEnough: Duration? {
        let starting = source.settings.starting
        guard let segments = starting.startSegments, let timeline = streams.timeline else { return nil }
        let average = (timeline.end - timeline.start).seconds / Double(max(1, timeline.slots.count))
        let enough =
            min(Duration(reckonedNanoseconds: average * segments * 1e9), starting.startMost)
        return liveDistance.map { min(enough, $0 / 2) } ?? enough
    }

    var failsAtOnce: Bool { source.settings.failing.afterRetries == .failNow }

    var wishes: LoadingWishes {
        get { record.wishes }
        set { record.wishes = newValue }
    }

    mutating func begin() {}

    mutating func starve() { record.isStarved = true }

    mutating func move(to position: Duration, _ turn: inout Turn) {
        // Whoever reads on elsewhere begins anew, with what is played alone.
        let isElsewhere = position < pace.position || position > bufferedEnd(from: pace.position)
        if !isOpening, isElsewhere { probes.stop(&turn) }
        streams.move(to: position, &meter, &turn)
    }

    mutating func stop(at position: Duration, _ turn: inout Turn) -> any MediaClient {
        variants?.stop(&turn)
        sound.change?.stop(&turn)
        subtitles?.stop(&turn)
        record.keyring.stop(&turn)
        probes.stop(&turn)
        streams.stop(&turn)
        if let variants { record.variants = variants.record }
        return HLSOpening(source, startingAt: position, record)
    }
}
