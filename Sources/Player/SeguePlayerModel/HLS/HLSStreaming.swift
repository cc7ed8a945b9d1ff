internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Loads the streams of an item whose playlists have arrived: initialization sections and segments in order from the
/// playhead, and other variants where they are better.
///
/// It acts only in `handle` and `update`, and requests and news leave through the step context.
struct HLSStreaming: Sendable {
    /// The separate audio rendition.
    struct AudioRendition: Sendable {
        /// Its playlist; nil if the variant contains the audio.
        var url: String?
        /// The audio playlist of a variant that was changed to, while it loads.
        var change: PlaylistLoad?
    }

    /// The playhead and its rate at the last update.
    struct Pace: Sendable {
        var position = Duration.zero
        var rate = 0.0
        var at = Instant.zero
    }

    let source: MediaSource

    /// The requested start position; nil for that of the playlist.
    let wantedStart: Duration?

    var record: HLSRecord

    /// The variants; nil if there is only one.
    var variants: VariantCourse?

    var audio: AudioRendition
    var subtitles: PlaylistLoad?
    var streams: StreamSet

    /// The probes of the other variants before playback.
    var probes = VariantProbes()

    var meter = ThroughputMeter()
    var pace = Pace()

    /// The instant at which playback may begin, on platforms that wait for something; nil until it is known.
    var startsAt: Instant?

    // MARK: Failures

    /// Returns the permanent failure of a stream; nil while a replacement loads.
    func failure(of index: Int) -> PlaybackError? {
        let isBeingReplaced = variants?.change != nil || streams.all[index].role == .audio && audio.change != nil
        return isBeingReplaced ? nil : streams.all[index].failure
    }

    private func failure(where matters: (Int) -> Bool) -> PlaybackError? {
        for index in streams.all.indices where matters(index) {
            if let failure = failure(of: index) { return failure }
        }
        return nil
    }

    /// The failure that forces a change of variant, if any.
    private var failureToLeave: PlaybackError? {
        failure { streams.all[$0].role != .subtitles && streams.all[$0].progress.standing != .idle }
    }

    // MARK: Variants

    private var wanted: VariantChoice.Wanted {
        VariantChoice.Wanted(
            peak: record.preferences.peakBitrate,
            wantsVideo: record.isVideoLoaded,
            isAudioSeparate: audio.url != nil,
            isAudioLost: streams.all.indices.contains { streams.all[$0].role == .audio && failure(of: $0) != nil }
        )
    }

    mutating func chooseVariant(playhead: Duration, _ context: inout StepContext) {
        guard variants != nil, let main = streams.main else { return }
        let (failure, wanted) = (failureToLeave, wanted)
        variants?.choose(
            after: streams.all[main],
            playhead: playhead,
            failure: failure,
            estimate: meter.bitsPerSecond,
            wanted,
            at: context.now
        )
        finishChange(&context)
        variants?.avoidGap(of: streams.all[main], wanted, at: context.now)
        finishChange(&context)
    }

    /// Changes the variant when its playlist has arrived and no segment of the previous one is loading.
    mutating func finishChange(_ context: inout StepContext) {
        guard let (timeline, url, began) = variants?.change?.arrived, let main = streams.main,
            !streams.all[main].isLoading,
            let (former, next) = variants?.finish(leaving: streams.all[main].progress.playlist.url)
        else { return }
        streams.all[main].change(to: timeline, from: url, at: pace.position, &context)
        streams.all[main].speed.scale(fromBitrate: former.bandwidth, to: next.bandwidth)
        if let began { streams.all[main].progress.playlist.came(began: began) }
        context.log(.playlistVariantChosen(item: source.item.description, url: url, bandwidth: next.bandwidth))
        // Another variant's audio rendition takes over at the end of the previous audio.
        guard let address = variants?.choice.audio(of: next), address != audio.url else { return }
        audio.change?.stop(&context)
        let previous = streams.all.first { $0.role == .audio }?.progress.playlist.timeline
        let asking = previous?.asking(of: address, context.settings)
        audio = AudioRendition(url: address, change: PlaylistLoad(url: address, asking: asking))
    }

    /// Cancels a segment that would be late if a lower variant's would be in time, and returns whether it did.
    mutating func abandonLate(_ context: inout StepContext) -> Bool {
        guard source.settings.adapting.rescuesLateSegments, variants?.mayBeLeft == true, pace.rate > 0,
            let main = streams.main,
            let transfer = streams.all[main].request.transfer, let slot = streams.all[main].nextSlot
        else { return false }
        let played = (context.now - pace.at).seconds * pace.rate
        let position = pace.position + .nanoseconds(Int64(played * 1e9))
        let ahead = (streams.bufferedEnd(from: pace.position) - position).seconds / pace.rate
        let race = VariantCourse.Race(
            seconds: ahead,
            wanted: wanted,
            timeline: streams.all[main].progress.playlist.timeline
        )
        guard variants?.rescue(from: transfer, duration: slot.duration, race, at: context.now) == true else {
            return false
        }
        meter.end(at: context.now)
        streams.all[main].stop(&context)
        finishChange(&context)
        return true
    }

    // MARK: Video

    /// Begins or stops loading video as the app requests, without affecting the audio.
    ///
    /// If the audio is separate, the media of the variant are released, and the same audio continues. Video returns
    /// beside it when it is loaded up to the playhead. Otherwise, the choice of variants prefers those with audio only
    /// while video is not wanted.
    mutating func heedVideoWish(_ context: inout StepContext) {
        guard record.preferences.isVideoWanted != record.isVideoLoaded else { return }
        record.isVideoLoaded = record.preferences.isVideoWanted
        guard audio.url != nil, let main = streams.main else {
            // The next update chooses again.
            variants?.record.judged = -1
            return
        }
        if record.isVideoLoaded {
            streams.all[main].resume(at: pace.position, &context)
        } else {
            if streams.all[main].isLoading { meter.giveUp() }
            streams.all[main].layDown(&context)
            variants?.stop(&context)
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

    var liveDistance: Duration? { streams.timeline?.lowLatency.parts?.holdBack }

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
        let buffering = source.settings.buffering
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

    /// Returns whether playback from a position at a rate is likely to continue without a stall.
    ///
    /// It is if everything is loaded, or everything that a live playlist contains; if enough is buffered; or if loading
    /// keeps ahead of playback.
    func isLikelyToKeepUp(from position: Duration, rate: Double, at now: Instant) -> Bool {
        let ahead = bufferedEnd(from: position) - position
        guard ahead > .zero, mayStart(at: now) else { return false }
        // If no more media will come, there is nothing to wait for.
        if isLoadedToEnd || isResting || isCutOff || failure != nil { return true }
        if let enough = startEnough { return ahead >= enough }
        if ahead >= source.settings.starting.keepUpEnough { return true }
        // Near the live edge, no more than that can ever be available.
        let most = liveDistance.map { $0 / 2 } ?? source.settings.starting.keepUpLeast
        guard ahead >= min(source.settings.starting.keepUpLeast, most) else { return false }
        let margin = source.settings.starting.keepUpMargin
        return streams.keepUp(from: position, rate: rate, ahead: ahead, margin: margin, at: now)
    }

    /// The buffer that suffices on platforms that count segments; nil on others.
    private var startEnough: Duration? {
        let starting = source.settings.starting
        guard let segments = starting.startSegments, let timeline = streams.timeline else { return nil }
        let average = (timeline.end - timeline.start).seconds / Double(max(1, timeline.slots.count))
        let enough =
            min(Duration(reckonedNanoseconds: average * segments * 1e9), starting.startMost)
        return liveDistance.map { min(enough, $0 / 2) } ?? enough
    }

    var failsAtOnce: Bool { source.settings.failing.afterRetries == .failNow }

    var preferences: LoadingPreferences {
        get { record.preferences }
        set { record.preferences = newValue }
    }

    mutating func begin() {}

    mutating func starve() { record.isStarved = true }

    mutating func move(to position: Duration, _ context: inout StepContext) {
        // Reading elsewhere restarts with the streams that play.
        let isElsewhere = position < pace.position || position > bufferedEnd(from: pace.position)
        if !isOpening, isElsewhere { probes.stop(&context) }
        streams.move(to: position, &meter, &context)
    }

    mutating func stop(at position: Duration, _ context: inout StepContext) -> any MediaClient {
        variants?.stop(&context)
        audio.change?.stop(&context)
        subtitles?.stop(&context)
        record.keyring.stop(&context)
        probes.stop(&context)
        streams.stop(&context)
        if let variants { record.variants = variants.record }
        return HLSOpening(source, startingAt: position, record)
    }
}
