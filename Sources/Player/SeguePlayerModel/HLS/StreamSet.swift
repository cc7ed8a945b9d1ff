internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The streams that an item is made of, and what they say together.
///
/// Streams are asked in their place: each holds much, and a copy for each question would cost more than the answer.
struct StreamSet: Sendable {
    var all: [StreamLoader] = []

    /// Whether playback needs a stream.
    func isNeeded(_ index: Int) -> Bool { all[index].standing == .needed }

    /// The stream whose timeline and playlist are the item's.
    private var lead: Int? { all.indices.first(where: isNeeded) ?? all.indices.first }

    /// The variant's own.
    var main: Int? { all.firstIndex { $0.role == .main } }

    /// The stream that a request belongs to; nil for none.
    ///
    /// Asked for every part of an answer: media first, and playlists only of what may still grow.
    func index(owning id: FetchID) -> Int? {
        for index in all.indices where all[index].request.transferID == id { return index }
        for index in all.indices where all[index].hint.transferID == id || all[index].mapHint.transferID == id {
            return index
        }
        for index in all.indices where all[index].prefetched.transferID == id { return index }
        return all.indices.first { !all[$0].playlist.timeline.isEnded && all[$0].playlist.owns(id) }
    }

    /// The item's timeline; nil until it is known.
    var timeline: SegmentTimeline? { lead.map { all[$0].playlist.timeline } }

    /// What is to be played in the middle, in the order of the playlist.
    var interstitials: [ScheduledInterstitial] { lead.map { snapped(all[$0].playlist.timeline.scheduled) } ?? [] }

    /// The media playlist in use; nil until it is known.
    var playlistURL: String? { lead.map { all[$0].playlist.url } }

    /// Whether the item may still grow, so that it has no duration.
    var isLive: Bool { all.indices.contains { isNeeded($0) && !all[$0].playlist.timeline.isEnded } }

    /// Its live edge; nil where it may not grow.
    ///
    /// - Parameters:
    ///   - isJoined: Whether it is left to the playlist where the item begins.
    ///   - now: The present time.
    /// - Returns: The edge.
    func liveEdge(isJoined: Bool, at now: Instant) -> LiveEdge? {
        isLive ? lead.map { LiveEdge(all[$0].playlist, isJoined: isJoined, at: now) } : nil
    }

    /// How long the item is; nil while it may grow.
    var duration: Duration? {
        guard !isLive else { return nil }
        var longest: Duration?
        for index in all.indices where isNeeded(index) {
            let end = all[index].playlist.timeline.end
            longest = longest.map { max($0, end) } ?? end
        }
        return longest
    }

    /// Where playback begins: where it is wanted, as far as there is something; nil until that is known.
    func start(wanted: Duration?) -> Duration? {
        timeline.map { min(max(wanted ?? $0.joinPosition, $0.start), $0.edge) }
    }

    /// The start and the end of the segment that holds a position.
    func segmentBounds(at position: Duration) -> (start: Duration, end: Duration)? {
        guard let timeline else { return nil }
        let slot = timeline.slot(timeline.segment(at: position))
        return (slot.start, slot.end)
    }

    /// What the media were seen to have; nil until a segment of every stream was seen.
    var tracks: ItemTracks? {
        var union = ItemTracks(hasVideo: false, hasAudio: false)
        for index in all.indices where isNeeded(index) {
            guard let tracks = all[index].content.tracks else { return nil }
            union = union.union(tracks)
        }
        return union
    }

    // MARK: What is loaded

    /// Up to where media are there from a position on, or were handed on by a platform; the position itself when nothing is.
    func bufferedEnd(from position: Duration, handedOnBy buffering: PlatformProfile.Buffering? = nil) -> Duration {
        var end: Duration?
        var known: Duration?
        for index in all.indices where all[index].role != .subtitles {
            // What is not loaded may be longer than what is, and is part of the item all the same.
            let last = all[index].playlist.timeline.edge
            known = known.map { max($0, last) } ?? last
            guard isNeeded(index) else { continue }
            // Of the parts that tell: the compiler would copy a whole loader for a question to it.
            let isAll = all[index].playlist.timeline.isEnded && all[index].next == all[index].playlist.timeline.upper
            let buffered =
                buffering.map { all[index].handedEnd(from: position, $0) }
                ?? StreamLoader.bufferedEnd(from: position, in: all[index].pieces, isAll: isAll)
            end = end.map { min($0, buffered) } ?? buffered
        }
        guard let end, let known else { return position }
        return max(min(known, end), min(position, end))
    }

    var isLoadedToEnd: Bool { all.indices.allSatisfy { !isNeeded($0) || all[$0].isLoadedToEnd } }

    /// Whether loading rests because enough is buffered.
    var isResting: Bool {
        all.indices.allSatisfy { !isNeeded($0) || all[$0].isResting || all[$0].isLoadedToEnd }
    }

    /// Whether it is known how fast media load.
    var isSpeedKnown: Bool { all.indices.allSatisfy { !isNeeded($0) || all[$0].speed.mediaPerSecond != nil } }

    /// Whether each stream has a segment that counts as a whole with another one, or a block of it, behind it.
    var haveNextBegun: Bool {
        all.indices.allSatisfy { index in
            guard isNeeded(index), all[index].hasNext, all[index].nextSlot?.map != nil else { return true }
            guard !all[index].isResting else { return true }
            guard all[index].isLoading else { return all[index].pieces.count > 1 }
            return all[index].request.progress.map { $0.bytes.count >= StreamLoader.block } ?? false
        }
    }

    /// What there is nothing of at a position, as the playlists say.
    func gaps(at position: Duration) -> MediaGaps {
        var gaps = MediaGaps()
        for index in all.indices where all[index].standing != .idle && all[index].pieces.isGap(at: position) {
            switch all[index].role {
            case .main:
                gaps.ofPictures = true
                if !all.contains(where: { $0.role == .audio }) { gaps.ofSound = true }
            case .audio: gaps.ofSound = true
            case .subtitles: break
            }
        }
        return gaps
    }

    /// Where after a position a gap begins or ends, as far as that is loaded; nil where none does.
    func gapBorder(after position: Duration) -> Duration? {
        var next: Duration?
        for index in all.indices where all[index].standing != .idle {
            guard let border = all[index].pieces.gapBorder(after: position) else { continue }
            next = next.map { min($0, border) } ?? border
        }
        return next
    }

    /// Whether what was to come next of one that is needed has left its playlist.
    var isCutOff: Bool { all.indices.contains { isNeeded($0) && all[$0].hasFallenBehind } }

    /// Where the playhead has to go on when what it needs has left the playlists; nil while that is not so.
    func displacement(from position: Duration) -> Duration? {
        guard bufferedEnd(from: position) <= position, let timeline else { return nil }
        var start = Duration.zero
        var isLost = false
        for index in all.indices where isNeeded(index) {
            let first = all[index].playlist.timeline.start
            start = max(start, first)
            isLost =
                isLost || position < first && all[index].playlist.timeline.first > 0
                || all[index].hasFallenBehind && all[index].bufferedEnd(from: position) <= position
        }
        guard isLost else { return nil }
        return isLive ? max(start, timeline.livePosition) : start
    }

    /// Whether what comes will keep ahead of playing from a position at a rate, with so much ahead of it.
    ///
    /// It will when media load faster than they play and the next segment comes before the buffer ends, or when what is
    /// buffered makes up for the slower loading of all the rest.
    func keepUp(
        from position: Duration,
        rate: Double,
        ahead: Duration,
        margin: Double,
        at now: Instant
    ) -> Bool {
        all.indices.allSatisfy { index in
            guard isNeeded(index), !all[index].isLoadedToEnd, all[index].hasNext else { return true }
            guard let loading = all[index].speed.mediaPerSecond else { return false }
            let underway = all[index].request.transfer.map { now - $0.began } ?? .zero
            let waitForNext = all[index].nextDuration.seconds / loading - underway.seconds
            let lasts = ahead.seconds / max(rate, 0.01)
            guard lasts >= waitForNext else { return false }
            let speed = loading / max(rate, 0.01)
            if speed >= margin { return true }
            return duration.map { ahead.seconds >= ($0 - position).seconds * (1 - speed) } ?? false
        }
    }

    // MARK: Commands

    /// Loads from a position on, letting go of what lies before it.
    mutating func move(to position: Duration, _ meter: inout ThroughputMeter, _ turn: inout Turn) {
        for index in all.indices where all[index].standing != .idle {
            let wasLoading = all[index].isLoading
            all[index].move(to: position, &turn)
            if wasLoading, !all[index].isLoading { meter.giveUp() }
        }
    }

    /// Pictures that have come back are needed again once they are there as far as the sound plays.
    mutating func rejoin(at playhead: Duration) {
        for index in all.indices where all[index].role == .main && all[index].standing == .beside {
            guard all[index].bufferedEnd(from: playhead) > playhead else { continue }
            all[index].standing = .needed
        }
    }

    /// Gives up every request and lets go of all.
    mutating func stop(_ turn: inout Turn) {
        for index in all.indices { all[index].stop(&turn) }
        all = []
    }
}
