internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// The progress of a stream through its playlist: the loaded media, and the next segment or part.
struct StreamProgress: Sendable {
    /// The role of a stream in playback.
    enum Standing: Sendable {
        /// Playback needs it.
        case needed
        /// It loads, but playback does not wait for it.
        case beside
        /// It does not load.
        case idle
    }

    var playlist: StreamPlaylist
    var standing = Standing.needed

    /// The loaded media that were not released.
    var pieces = LoadedPieces()

    /// The next segment or part to load.
    private(set) var cursor: SegmentCursor

    init(_ playlist: StreamPlaylist, at position: Duration) {
        self.playlist = playlist
        cursor = SegmentCursor(playlist.timeline, at: position)
    }

    // MARK: The next segment

    /// The number of the next segment.
    var next: Int { cursor.number }

    /// The index of the next part; 0 for the whole segment.
    var nextPart: Int { cursor.part }

    var isLoadedToEnd: Bool { playlist.timeline.isEnded && next == playlist.timeline.upper }

    /// True if the next segment is the last one of a complete playlist.
    var isNextLast: Bool { playlist.timeline.isEnded && next + 1 == playlist.timeline.upper }

    /// The next segment to load; nil if there is none, or none yet.
    ///
    /// For a segment in progress, or one that was begun with its parts, this is the next part.
    var nextSlot: SegmentTimeline.Slot? {
        guard hasNext else { return nil }
        if takesParts, let part = playlist.timeline.part(next, nextPart) { return part }
        return playlist.timeline.slot(next)
    }

    /// Returns a segment or the next part as a request needs it.
    func wanted(_ slot: SegmentTimeline.Slot, number: Int, rest: FetchRange? = nil) -> WantedMedia {
        let following = slot.isPart ? playlist.timeline.part(number, nextPart + 1) : segment(number + 1)
        return WantedMedia(slot: slot, rest: rest, following: following, playlist: playlist.url)
    }

    /// Returns a segment by its number; nil if the playlist does not contain it yet.
    func segment(_ number: Int) -> SegmentTimeline.Slot? {
        number < playlist.timeline.upper ? playlist.timeline.slot(number) : nil
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

    /// The parts of the playlist if all of them have been loaded, so that a hint is next.
    private var partsAtEdge: PartTimeline? {
        isAtEdge && standing == .needed && !playlist.isAdrift ? playlist.timeline.lowLatency.parts : nil
    }

    /// The hinted part that is next, if any.
    var hintedPart: PartTimeline.Hint? { cursor.isWithoutParts ? nil : partsAtEdge?.hint }

    /// The hinted initialization section that is next, if any.
    var hintedMap: PartTimeline.Hint? { partsAtEdge?.mapHint }

    /// The duration of the next segment; zero if there is none.
    var nextDuration: Duration { nextSlot?.duration ?? (isLoadedToEnd ? .zero : playlist.timeline.targetDuration) }

    /// True if the next segment has left the playlist.
    var hasFallenBehind: Bool { next < playlist.timeline.first }

    /// True if segments have an initialization section.
    var isFragmented: Bool {
        let number = min(next, playlist.timeline.upper - 1)
        return number >= playlist.timeline.first && playlist.timeline.slot(number).map != nil
    }

    // MARK: Loaded media

    /// Returns the end of the contiguous buffer from a position; the position itself if nothing is buffered.
    func bufferedEnd(from position: Duration) -> Duration {
        StreamProgress.bufferedEnd(from: position, in: pieces, isAll: isLoadedToEnd)
    }

    /// The same for a stream that has loaded these pieces.
    static func bufferedEnd(from position: Duration, in pieces: LoadedPieces, isAll: Bool) -> Duration {
        guard let end = pieces.end(from: position) else { return position }
        if let obstacle = pieces.obstacle(from: position) { return min(end, obstacle) }
        // Another stream may be longer, so this one must not limit playback at its end.
        return isAll ? .seconds(Int64.max / 4_000_000_000) : end
    }

    /// Returns the instant at which the playhead reaches media that were loaded ahead of it.
    func meeting(playhead: Duration, rate: Double, at now: Instant) -> Instant? {
        guard standing == .beside, rate > 0, let start = pieces.start, start > playhead else { return nil }
        return now + Duration(reckonedNanoseconds: (Double((start - playhead).wholeNanoseconds) / rate).rounded(.up))
    }

    /// Returns the buffer ahead of the playhead, including media that it will reach later.
    func ahead(of playhead: Duration) -> Duration {
        bufferedEnd(from: max(playhead, pieces.start ?? playhead)) - playhead
    }

    /// Counts the next segment or part as loaded.
    mutating func place(_ slot: SegmentTimeline.Slot) {
        pieces.append(slot)
        cursor.advance(past: slot)
    }

    /// The maximum share of a segment that counts before it has been inspected as a whole.
    private static let mostShare = 0.999

    /// Counts the received part of the segment: the same share of its duration as of its bytes, in blocks of a size.
    mutating func countUnderway(
        of request: SegmentRequest,
        _ content: inout StreamContent,
        _ buffering: PlatformProfile.Buffering
    ) {
        let block = buffering.counts == .blocks ? StreamLoader.block : 1
        guard buffering.counts == .bytes || buffering.counts == .blocks && nextSlot?.map == nil else { return }
        guard case .segment(next) = request.target, let slot = nextSlot, let (bytes, size) = request.progress else {
            return
        }
        content.glimpse(slot, of: bytes)
        guard content.playsByBytes, size > 0 else { return }
        let start = pieces.end ?? slot.start
        let came = (request.keptBytes + bytes.count) / block * block
        let share = min(Double(came) / Double(size), StreamProgress.mostShare)
        let length = Duration(reckonedNanoseconds: (Double((slot.end - start).wholeNanoseconds) * share).rounded(.down))
        pieces.underway = (start, start + max(.zero, length))
    }

    /// Advances to the next segment if all parts of this one are loaded and it is complete in the playlist.
    mutating func stepOver() {
        guard nextPart > 0, next >= playlist.timeline.first, next < playlist.timeline.upper else { return }
        let named = playlist.timeline.partCount(next)
        let whole = playlist.timeline.slot(next)
        // Parts are listed only for a while, so a segment with almost nothing left is complete.
        let isDone = named > 0 ? nextPart >= named : (pieces.end ?? .zero) >= whole.end - whole.duration / 10
        if isDone { cursor.nextSegment() }
    }

    /// Loads the next segment as a whole, because its parts are unusable.
    mutating func giveUpParts() { cursor.giveUpParts() }

    // MARK: Moving

    /// Releases media before the playhead, or returns the place to load from if none of them can be played there.
    mutating func move(to position: Duration) -> (number: Int, part: Int)? {
        let start = pieces.start ?? pieces.underway?.start
        if let start, start <= position, let end = pieces.reach, position <= end || isLoadedToEnd {
            pieces.release(before: position)
            return nil
        }
        if standing == .beside {
            let (number, upper) = (playlist.timeline.segment(at: position), playlist.timeline.upper)
            return cursor.aim(ahead: number, loaded: pieces.count, upper: upper).map { ($0, 0) }
        }
        let place = playlist.timeline.place(at: position)
        guard place == (next, nextPart) else { return place }
        pieces.removeAll()
        return nil
    }

    /// Restarts without media at a segment or part.
    mutating func restart(at number: Int, part: Int = 0) {
        pieces.removeAll()
        cursor.restart(at: number, part: part)
        pieces.handed = nil
    }

    /// Restarts beside playback at the segment of a position.
    mutating func restartBeside(at position: Duration) {
        standing = .beside
        cursor.lead = 0
        restart(at: playlist.timeline.segment(at: position))
    }

    /// Continues with another variant's playlist at the end of the loaded media.
    mutating func change(to timeline: SegmentTimeline, from url: String, at position: Duration) {
        playlist.change(to: timeline, from: url)
        cursor.change(to: timeline, loadedTo: pieces.end, at: position)
    }

    /// Continues at a position in a playlist that was aligned again.
    mutating func renumber(at position: Duration) {
        cursor.renumber(to: playlist.timeline.segment(at: position))
    }

    /// Releases all media, and stops.
    mutating func layDown() {
        pieces.removeAll()
        standing = .idle
        playlist.layDown()
    }

    // MARK: Delivery

    /// Returns the last segment of which a block was read; nil if there is none.
    private func begun(by request: SegmentRequest) -> Int? {
        if case .segment(next) = request.target, let (bytes, size) = request.progress,
            request.keptBytes + bytes.count >= min(StreamLoader.block, Int(clamping: size))
        {
            return next
        }
        return pieces.count > 0 ? next - 1 : nil
    }

    /// The clock advances in steps of this length, the last of which comes with the next fragment.
    private static let step = Duration.milliseconds(250)

    /// Returns the loaded end for the order of reading, with the last segment of which a block was read; nil if nothing
    /// was begun, or if it has left a live playlist.
    ///
    /// This is the end of the segment before the one that was begun. For a first segment it is its own end, because the
    /// initialization section counted in its place.
    func reach(by request: SegmentRequest) -> Duration? {
        listed(begun(by: request)).map {
            $0 == cursor.fresh ? playlist.timeline.slot($0).end : playlist.timeline.slot($0).start
        }
    }

    private func listed(_ number: Int?) -> Int? {
        number.flatMap { $0 >= playlist.timeline.first && $0 < playlist.timeline.upper ? $0 : nil }
    }

    /// Delivers all fragments of the previous variant when the next initialization section has arrived.
    mutating func handOverVariant(_ hasMap: (MapAddress) -> Bool) {
        if next == cursor.fresh, let end = pieces.end, let map = nextSlot?.map, hasMap(map) { pieces.handed = end }
    }

    /// Delivers the segment before the one that was begun.
    mutating func handOn(by request: SegmentRequest) {
        guard let begun = listed(begun(by: request)), begun != cursor.fresh else { return }
        pieces.handed = max(pieces.handed ?? .zero, playlist.timeline.slot(begun).start - StreamProgress.step)
    }

    /// Returns the end of the delivered media from a position; the position itself if there are none.
    ///
    /// - Parameters:
    ///   - lag: The time by which the clock of a transport stream is behind its end.
    func handedEnd(from position: Duration, behind lag: Duration) -> Duration {
        let end = bufferedEnd(from: position)
        guard !isLoadedToEnd else { return end }
        if isFragmented { return max(position, min(end, pieces.handed ?? position)) }
        return max(position, end - lag)
    }
}
