internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The streams of an item, and their combined state.
///
/// Streams are read in place: each is large, and a copy for each call would cost more than the call.
struct StreamSet: Sendable {
    var all: [StreamLoader] = []

    /// The meter of the bandwidth of all streams.
    var meter: ThroughputMeter

    init(_ settings: PlatformProfile.Adapting) { meter = ThroughputMeter(settings) }

    /// Returns whether playback needs a stream.
    func isNeeded(_ index: Int) -> Bool { all[index].progress.standing == .needed }

    /// The stream whose timeline and playlist are the item's.
    private var lead: Int? { all.indices.first(where: isNeeded) ?? all.indices.first }

    /// The stream of the variant itself.
    var main: Int? { all.firstIndex { $0.role == .main } }

    /// Returns the stream that a request belongs to.
    ///
    /// This runs for each piece of data, so it checks media first, and playlists only if they are live.
    func index(owning id: FetchID) -> Int? {
        for index in all.indices where all[index].request.transferID == id { return index }
        for index in all.indices where all[index].hints.part.transferID == id { return index }
        for index in all.indices where all[index].hints.map.transferID == id { return index }
        for index in all.indices where all[index].prefetched.transferID == id { return index }
        return all.indices.first { !all[$0].progress.playlist.timeline.isEnded && all[$0].progress.playlist.owns(id) }
    }

    /// The item's timeline; nil until it is known.
    var timeline: SegmentTimeline? { lead.map { all[$0].progress.playlist.timeline } }

    /// The interstitials, in the order of the playlist.
    var interstitials: [ScheduledInterstitial] {
        lead.map { snapped(all[$0].progress.playlist.timeline.scheduled) } ?? []
    }

    /// The media playlist in use; nil until it is known.
    var playlistURL: String? { lead.map { all[$0].progress.playlist.url } }

    /// True if the item is live, and thus has no duration.
    var isLive: Bool { all.indices.contains { isNeeded($0) && !all[$0].progress.playlist.timeline.isEnded } }

    /// Returns the live edge of a live item; `isJoined` states that the start position was left to the playlist.
    func liveEdge(isJoined: Bool, at now: Instant) -> LiveEdge? {
        isLive ? lead.map { LiveEdge(all[$0].progress.playlist, isJoined: isJoined, at: now) } : nil
    }

    /// The duration of the item; nil while it is live.
    var duration: Duration? {
        guard !isLive else { return nil }
        var longest: Duration?
        for index in all.indices where isNeeded(index) {
            let end = all[index].progress.playlist.timeline.end
            longest = longest.map { max($0, end) } ?? end
        }
        return longest
    }

    /// Returns the start position: the requested one, within the available range; nil until it is known.
    func start(wanted: Duration?) -> Duration? {
        timeline.map { min(max(wanted ?? $0.joinPosition, $0.start), $0.edge) }
    }

    /// Returns the bounds of the segment that contains a position.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        guard let timeline else { return nil }
        let slot = timeline.slot(timeline.segment(at: position))
        return (slot.start, slot.end)
    }

    /// The tracks of the media; nil before the first segment of every stream.
    var tracks: ItemTracks? {
        var union = ItemTracks(hasVideo: false, hasAudio: false)
        for index in all.indices where isNeeded(index) {
            guard let tracks = all[index].intake.content.tracks else { return nil }
            union = union.union(tracks)
        }
        return union
    }

    // MARK: Loaded media

    /// Returns the end of the contiguous buffer from a position, or of the delivered media on platforms that hold them
    /// back; the position itself if there are none.
    func bufferedEnd(from position: Duration, handedOnBy buffering: PlatformProfile.Buffering? = nil) -> Duration {
        var end: Duration?
        var known: Duration?
        for index in all.indices where all[index].role != .subtitles {
            // Media that are not loaded may be longer than those that are, and belong to the item as well.
            let last = all[index].progress.playlist.timeline.edge
            known = known.map { max($0, last) } ?? last
            guard isNeeded(index) else { continue }
            // Reads single properties, because the compiler would copy a whole loader for a method call.
            let upper = all[index].progress.playlist.timeline.upper
            let isAll = all[index].progress.playlist.timeline.isEnded && all[index].progress.next == upper
            let buffered =
                buffering.map { all[index].progress.handedEnd(from: position, behind: $0.lag(of: all[index].role)) }
                ?? StreamProgress.bufferedEnd(from: position, in: all[index].progress.pieces, isAll: isAll)
            end = end.map { min($0, buffered) } ?? buffered
        }
        guard let end, let known else { return position }
        return max(min(known, end), min(position, end))
    }

    var isLoadedToEnd: Bool { all.indices.allSatisfy { !isNeeded($0) || all[$0].isLoadedToEnd } }

    /// True if loading is paused because enough is buffered.
    var isResting: Bool {
        all.indices.allSatisfy { !isNeeded($0) || all[$0].isResting || all[$0].isLoadedToEnd }
    }

    /// True if the loading speed is known.
    var isSpeedKnown: Bool { all.indices.allSatisfy { !isNeeded($0) || all[$0].intake.speed.mediaPerSecond != nil } }

    /// True if each stream has a segment that counts as complete, because another one follows or a block of it.
    var haveNextBegun: Bool {
        all.indices.allSatisfy { index in
            guard isNeeded(index), all[index].progress.hasNext, all[index].nextSlot?.map != nil else { return true }
            guard !all[index].isResting else { return true }
            guard all[index].isLoading else { return all[index].progress.pieces.count > 1 }
            return all[index].request.progress.map { $0.bytes.count >= StreamLoader.block } ?? false
        }
    }

    /// True if the next media of a needed stream have left its playlist.
    var isCutOff: Bool { all.indices.contains { isNeeded($0) && all[$0].progress.hasFallenBehind } }

    /// Returns the position at which the playhead must continue if its media have left the playlists; nil while they
    /// have not.
    func displacement(from position: Duration) -> Duration? {
        guard bufferedEnd(from: position) <= position, let timeline else { return nil }
        var start = Duration.zero
        var isLost = false
        for index in all.indices where isNeeded(index) {
            let first = all[index].progress.playlist.timeline.start
            start = max(start, first)
            isLost =
                isLost || position < first && all[index].progress.playlist.timeline.first > 0
                || all[index].progress.hasFallenBehind && all[index].bufferedEnd(from: position) <= position
        }
        guard isLost else { return nil }
        return isLive ? max(start, timeline.livePosition) : start
    }

    /// Returns whether loading keeps ahead of playback from a position at a rate, with a buffer ahead of it.
    ///
    /// It does if media load faster than they play and the next segment arrives before the buffer ends, or if the
    /// buffer compensates for the slower loading of all the rest.
    func keepUp(
        from position: Duration,
        rate: Double,
        ahead: Duration,
        margin: Double,
        at now: Instant
    ) -> Bool {
        all.indices.allSatisfy { index in
            guard isNeeded(index), !all[index].isLoadedToEnd, all[index].progress.hasNext else { return true }
            guard let loading = all[index].intake.speed.mediaPerSecond else { return false }
            let underway = all[index].request.transfer.map { now - $0.began } ?? .zero
            let waitForNext = all[index].progress.nextDuration.seconds / loading - underway.seconds
            let lasts = ahead.seconds / max(rate, 0.01)
            guard lasts >= waitForNext else { return false }
            let speed = loading / max(rate, 0.01)
            if speed >= margin { return true }
            return duration.map { ahead.seconds >= ($0 - position).seconds * (1 - speed) } ?? false
        }
    }

    // MARK: Commands

    /// Begins the requests of a stream that are due.
    mutating func load(
        _ index: Int,
        under loading: LoadConditions,
        keyring: inout Keyring,
        _ context: inout StepContext
    ) {
        let wasLoading = all[index].isLoading
        all[index].load(loading, keyring: &keyring, &context)
        if !wasLoading, all[index].isLoading { meter.begin(at: context.now) }
    }

    /// Loads from a position on, and releases media before it.
    mutating func move(to position: Duration, _ context: inout StepContext) {
        for index in all.indices where all[index].progress.standing != .idle {
            let wasLoading = all[index].isLoading
            all[index].move(to: position, &context)
            if wasLoading, !all[index].isLoading { meter.giveUp() }
        }
    }

    /// Makes video that was selected again necessary when it is loaded as far as audio plays.
    mutating func rejoin(at playhead: Duration) {
        for index in all.indices where all[index].role == .main && all[index].progress.standing == .beside {
            guard all[index].bufferedEnd(from: playhead) > playhead else { continue }
            all[index].progress.standing = .needed
        }
    }

    /// Cancels every request, and releases all media.
    mutating func stop(_ context: inout StepContext) {
        for index in all.indices { all[index].stop(&context) }
        all = []
    }
}
