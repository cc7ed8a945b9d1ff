internal import SegueBase
internal import SegueEvents
internal import SegueFetch
internal import SeguePlaylists

/// Loads the streams of an item whose playlists have arrived: initialization sections and segments in order from the
/// playhead, and other variants where they are better.
///
/// It acts only in `handle` and `update`, and requests and news leave through the step context.
struct HLSStreaming: Sendable {
    let source: MediaSource

    /// The requested start position; nil for that of the playlist.
    let wantedStart: Duration?

    var record: HLSRecord

    var switching: StreamSwitching
    var streams: StreamSet

    var beginning: StreamStart
    var pace = Pace()

    // MARK: Video

    /// Begins or stops loading video as the app requests, without affecting the audio.
    ///
    /// If the audio is separate, the media of the variant are released, and the same audio continues. Video returns
    /// beside it when it is loaded up to the playhead. Otherwise, the choice of variants prefers those with audio only
    /// while video is not wanted.
    mutating func heedVideoWish(_ context: inout StepContext) {
        guard record.preferences.isVideoWanted != record.isVideoLoaded else { return }
        record.isVideoLoaded = record.preferences.isVideoWanted
        guard switching.audioURL != nil, let main = streams.main else {
            // The next update chooses again.
            switching.variants?.record.judged = -1
            return
        }
        if record.isVideoLoaded {
            streams.all[main].resume(at: pace.position, &context)
        } else {
            if streams.all[main].isLoading { streams.meter.giveUp() }
            streams.all[main].layDown(&context)
            switching.variants?.stop(&context)
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

    var variantChanges: Int { switching.variants?.record.changes ?? record.variants.changes }

    var leftVariant: (url: String, bitrate: Int)? { switching.variants?.record.left ?? record.variants.left }

    var tracks: ItemTracks? { streams.tracks }

    var failure: PlaybackError? { switching.failure(in: streams, where: streams.isNeeded) }

    func bufferedEnd(from position: Duration) -> Duration {
        let buffering = source.settings.buffering
        if buffering.counts == .blocks, !isCutOff { return streams.bufferedEnd(from: position, handedOnBy: buffering) }
        let end = streams.bufferedEnd(from: position)
        let decoded = buffering.decoded
        return decoded == .zero || isLoadedToEnd || isCutOff ? end : max(min(position, end), end - decoded)
    }

    func gaps(at position: Duration) -> MediaGaps { streams.all.gaps(at: position) }

    func gapBorder(after position: Duration) -> Duration? { streams.all.gapBorder(after: position) }

    var isLoadedToEnd: Bool { streams.isLoadedToEnd }

    var isCutOff: Bool { streams.isCutOff }

    var isResting: Bool { streams.isResting }

    var isSpeedKnown: Bool { streams.isSpeedKnown }

    var indicatedBitrate: Int { switching.variants?.choice.indicatedBitrate ?? 0 }

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
        guard ahead > .zero, beginning.isAllowed(at: now, source.settings) else { return false }
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
        if !beginning.isOpening(source.settings), isElsewhere { beginning.probes.stop(&context) }
        streams.move(to: position, &context)
    }

    mutating func stop(at position: Duration, _ context: inout StepContext) -> any MediaClient {
        switching.stop(&context)
        record.keyring.stop(&context)
        beginning.probes.stop(&context)
        streams.stop(&context)
        if let variants = switching.variants { record.variants = variants.record }
        return HLSOpening(source, startingAt: position, record)
    }
}
