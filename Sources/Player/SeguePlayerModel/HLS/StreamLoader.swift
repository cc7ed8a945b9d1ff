internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loads the segments of one stream in order from the playhead, within the limits of the profile, and reloads its live
/// playlist.
struct StreamLoader: Sendable {
    /// The role of a stream in playback.
    enum Standing: Sendable {
        /// Playback needs it.
        case needed
        /// It loads, but playback does not wait for it.
        case beside
        /// It does not load.
        case idle
    }

    let role: StreamRole

    /// True if it loads only for inspection, without delivery.
    var isProbe = false

    /// True if the beginning of its first segment has been inspected.
    var isLookedInto = false

    var standing = Standing.needed
    var playlist: StreamPlaylist

    /// The loaded media that were not released.
    var pieces = LoadedPieces()

    /// The next segment or part to load.
    var cursor: SegmentCursor

    var content: StreamContent

    var request = SegmentRequest()

    /// The request for the following segment, which is not read yet.
    var prefetched = SegmentPrefetch()

    var hints = StreamHints()
    var speed = LoadSpeed()

    /// The number of segments that arrived.
    var arrivals = 0

    /// The permanent failure of the next segment.
    ///
    /// Loaded media can still be played.
    var failure: PlaybackError?

    /// True if loading is paused because enough is buffered.
    var isResting = false

    init(role: StreamRole, playlist: StreamPlaylist, position: Duration) {
        self.role = role
        self.playlist = playlist
        content = StreamContent(role: role)
        cursor = SegmentCursor(playlist.timeline, at: position)
    }

    // MARK: State

    /// True if a request for media is open.
    var isLoading: Bool { request.transfer != nil }

    /// The number of the next segment.
    var next: Int { cursor.number }

    /// The index of the next part; 0 for the whole segment.
    var nextPart: Int { cursor.part }

    var isLoadedToEnd: Bool { playlist.timeline.isEnded && next == playlist.timeline.upper }

    /// The next segment to load; nil if there is none, or none yet.
    ///
    /// For a segment in progress, or one that was begun with its parts, this is the next part.
    var nextSlot: SegmentTimeline.Slot? {
        guard hasNext else { return nil }
        if takesParts, let part = playlist.timeline.part(next, nextPart) { return part }
        return playlist.timeline.slot(next)
    }

    /// True if there is a next segment or part.
    var hasNext: Bool {
        guard !playlist.isAdrift, next >= playlist.timeline.first else { return false }
        return next < playlist.timeline.upper
            || takesParts && next == playlist.timeline.upper && nextPart < playlist.timeline.partCount(next)
    }

    /// True if parts of the next segment are loaded, and not the whole.
    private var takesParts: Bool {
        playlist.timeline.lowLatency.parts != nil && standing == .needed && !cursor.isWithoutParts
            && (nextPart > 0 || next == playlist.timeline.upper)
    }

    /// True if all segments and parts of a playlist with parts have been loaded.
    var isAtEdge: Bool {
        playlist.timeline.lowLatency.parts != nil && next == playlist.timeline.upper
            && nextPart >= playlist.timeline.partCount(next)
    }

    /// The hinted part to request before the playlist contains it, if any.
    var hintToFollow: PartTimeline.Hint? {
        guard isAtEdge, standing == .needed, !cursor.isWithoutParts, !playlist.isAdrift, hints.part.isTrusted else {
            return nil
        }
        return playlist.timeline.lowLatency.parts?.hint
    }

    /// Returns the end of the contiguous buffer from a position; the position itself if nothing is buffered.
    func bufferedEnd(from position: Duration) -> Duration {
        StreamLoader.bufferedEnd(from: position, in: pieces, isAll: isLoadedToEnd)
    }

    /// The same for a stream that has loaded these pieces.
    static func bufferedEnd(from position: Duration, in pieces: LoadedPieces, isAll: Bool) -> Duration {
        guard let end = pieces.end(from: position) else { return position }
        // Another stream may be longer, so this one must not limit playback at its end.
        return isAll ? .seconds(Int64.max / 4_000_000_000) : end
    }

    /// The duration of the next segment; zero if there is none.
    var nextDuration: Duration { nextSlot?.duration ?? (isLoadedToEnd ? .zero : playlist.timeline.targetDuration) }

    /// True if the next segment has left the playlist.
    var hasFallenBehind: Bool { next < playlist.timeline.first }

    // MARK: Moving

    /// Releases media before the playhead, and loads from there if necessary.
    mutating func move(to position: Duration, _ context: inout StepContext) {
        let start = pieces.start ?? pieces.underway?.start
        if let start, start <= position, let end = pieces.reach, position <= end || isLoadedToEnd {
            return pieces.release(before: position)
        }
        let place = playlist.timeline.place(at: position)
        if standing == .beside {
            let upper = playlist.timeline.upper
            let number = playlist.timeline.segment(at: position)
            let aim = cursor.aim(ahead: number, loaded: pieces.count, upper: upper)
            if let aim { begin(at: aim, &context) }
        } else if place == (next, nextPart) {
            pieces.removeAll()
        } else {
            begin(at: place.number, part: place.part, &context)
        }
    }

    private mutating func begin(at number: Int, part: Int = 0, _ context: inout StepContext) {
        stop(&context)
        pieces.removeAll()
        cursor.restart(at: number, part: part)
        pieces.handed = nil
        request.forgive()
        failure = nil
        isResting = false
    }

    /// Continues with another variant's playlist at the end of the loaded media.
    mutating func change(
        to timeline: SegmentTimeline,
        from url: String,
        at position: Duration,
        _ context: inout StepContext
    ) {
        stop(&context)
        if content.isTransportStream { pieces.lose(context.settings.buffering.changeLoses, from: position) }
        playlist.change(to: timeline, from: url)
        content.change()
        request.forgive()
        failure = nil
        cursor.change(to: timeline, loadedTo: pieces.end, at: position)
    }

    /// Releases all media, and stops loading.
    mutating func layDown(_ context: inout StepContext) {
        stop(&context)
        pieces.removeAll()
        isResting = false
        standing = .idle
        playlist.layDown()
    }

    /// Loads again beside playback: immediately, or when a changed playlist has been reloaded.
    mutating func resume(at position: Duration, _ context: inout StepContext) {
        standing = .beside
        cursor.lead = 0
        begin(at: playlist.timeline.segment(at: position), &context)
    }

    /// Counts the next segment or part as loaded.
    mutating func place(_ slot: SegmentTimeline.Slot) {
        pieces.append(slot)
        cursor.advance(past: slot)
    }

    /// Advances to the next segment if all parts of this one are loaded and it is complete in the playlist.
    mutating func stepOver() {
        guard nextPart > 0, next >= playlist.timeline.first, next < playlist.timeline.upper, !isLoading else { return }
        let named = playlist.timeline.partCount(next)
        let whole = playlist.timeline.slot(next)
        // Parts are listed only for a while, so a segment with almost nothing left is complete.
        let isDone = named > 0 ? nextPart >= named : (pieces.end ?? .zero) >= whole.end - whole.duration / 10
        if isDone { cursor.nextSegment() }
    }

    /// Loads the next segment as a whole, because its parts are unusable.
    mutating func giveUpParts() { cursor.giveUpParts() }

    /// Cancels the open requests.
    mutating func stop(_ context: inout StepContext) {
        request.stop(&context)
        prefetched.stop(&context)
        pieces.underway = nil
        hints.stop(&context)
        playlist.stop(&context)
    }
}
