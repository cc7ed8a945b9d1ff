internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Loads one stream's segments in order from the playhead, as far ahead as the profile lets it, and its playlist again
/// as long as that may grow.
struct StreamLoader: Sendable {
    /// What a stream is to playback.
    enum Standing: Sendable {
        /// Playback needs it.
        case needed
        /// It is loaded, and holds nothing up.
        case beside
        /// It is not loaded.
        case idle
    }

    /// How many segments ahead of the playhead is enough for any line.
    private static let mostLead = 15

    let role: StreamRole

    /// Whether it is loaded only to see what is in it: nobody is handed what comes.
    var isProbe = false

    /// Whether the beginning of its first segment has been looked into.
    var isLookedInto = false

    var standing = Standing.needed
    var playlist: StreamPlaylist

    /// What is loaded and not yet let go.
    var pieces = LoadedPieces()

    /// The number of the segment that is next to load.
    var next: Int

    /// The part of that segment which is next to load, where parts are loaded; 0 for the segment as a whole.
    private(set) var nextPart = 0

    /// The segment whose parts are of no use: it is loaded as a whole once it is there.
    private var withoutParts: Int?

    /// How many segments ahead of the playhead it was last begun.
    private var lead = 0

    /// What the media were seen to have.
    var content: StreamContent

    var request = SegmentRequest()

    /// The request for the segment behind that, which is not read yet.
    var prefetched = SegmentRequest()

    /// Whether all of that has come all the same.
    var isPrefetchedWhole = false

    /// What is asked for before the playlist names it.
    var hint = HintLoad()

    /// What is asked for before a segment needs it: an initialization section.
    var mapHint = HintLoad()
    var speed = LoadSpeed()

    /// How many segments came.
    var arrivals = 0

    /// Why the next segment will never come; what is loaded can still be played.
    var failure: PlaybackError?

    /// Whether loading rests because enough is buffered.
    var isResting = false

    /// Up to where fragments were handed on, where each waits for the next one; nil where none was.
    var handed: Duration?

    /// The first segment that is read since another variant or place was gone to.
    private(set) var fresh: Int

    init(role: StreamRole, playlist: StreamPlaylist, position: Duration) {
        self.role = role
        self.playlist = playlist
        content = StreamContent(role: role)
        (next, nextPart) = playlist.timeline.place(at: position)
        fresh = next
    }

    // MARK: What is there

    /// Whether a request for media is under way.
    var isLoading: Bool { request.transfer != nil }

    var isLoadedToEnd: Bool { playlist.timeline.isEnded && next == playlist.timeline.upper }

    /// The segment that is next to load; nil where there is none, or none yet.
    ///
    /// Of a segment that is being made, the part that is next; so too of one that was begun with its parts.
    var nextSlot: SegmentTimeline.Slot? {
        guard hasNext else { return nil }
        if takesParts, let part = playlist.timeline.part(next, nextPart) { return part }
        return playlist.timeline.slot(next)
    }

    /// Whether there is a segment to load next, or a part of one.
    var hasNext: Bool {
        guard !playlist.isAdrift, next >= playlist.timeline.first else { return false }
        return next < playlist.timeline.upper
            || takesParts && next == playlist.timeline.upper && nextPart < playlist.timeline.partCount(next)
    }

    /// Whether parts of the segment that is next are loaded, and not the whole of it.
    private var takesParts: Bool {
        playlist.timeline.partTimeline != nil && standing == .needed && withoutParts != next
            && (nextPart > 0 || next == playlist.timeline.upper)
    }

    /// Whether all that a playlist names which is followed part by part has been loaded.
    var isAtEdge: Bool {
        playlist.timeline.partTimeline != nil && next == playlist.timeline.upper
            && nextPart >= playlist.timeline.partCount(next)
    }

    /// What is to be asked for before the playlist names it: the part after the last one, which is next; nil for none.
    var hintToFollow: PartTimeline.Hint? {
        guard isAtEdge, standing == .needed, withoutParts != next, !playlist.isAdrift, hint.isTrusted else {
            return nil
        }
        return playlist.timeline.partTimeline?.hint
    }

    /// Up to where media are there without a gap from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration {
        StreamLoader.bufferedEnd(from: position, in: pieces, isAll: isLoadedToEnd)
    }

    /// The same of a stream that has loaded these pieces.
    static func bufferedEnd(from position: Duration, in pieces: LoadedPieces, isAll: Bool) -> Duration {
        guard let end = pieces.end(from: position) else { return position }
        // Another stream may be longer; this one holds nothing back at its end.
        return isAll ? .seconds(Int64.max / 4_000_000_000) : end
    }

    /// How long the segment that is next to load plays; zero when there is none.
    var nextDuration: Duration { nextSlot?.duration ?? (isLoadedToEnd ? .zero : playlist.timeline.targetDuration) }

    /// Whether the segment after what is there has left the playlist.
    var hasFallenBehind: Bool { next < playlist.timeline.first }

    // MARK: Moving

    /// Lets go of what lies before the playhead; loads from there when it is not there.
    mutating func move(to position: Duration, _ turn: inout Turn) {
        let start = pieces.start ?? pieces.underway?.start
        if let start, start <= position, let end = pieces.reach, position <= end || isLoadedToEnd {
            return pieces.release(before: position)
        }
        let place = playlist.timeline.place(at: position)
        if standing == .beside {
            moveBeside(playlist.timeline.segment(at: position), &turn)
        } else if place == (next, nextPart) {
            pieces.removeAll()
        } else {
            begin(at: place.number, part: place.part, &turn)
        }
    }

    /// What holds nothing up is loaded ahead of the playhead, each time further, when that has overtaken it.
    private mutating func moveBeside(_ number: Int, _ turn: inout Turn) {
        let aimed = next - pieces.count
        guard aimed < number || aimed > number + lead else { return }
        lead = aimed < number ? min(2 * lead + 1, StreamLoader.mostLead) : 0
        begin(at: min(number + lead, max(number, playlist.timeline.upper - 1)), &turn)
    }

    private mutating func begin(at number: Int, part: Int = 0, _ turn: inout Turn) {
        stop(&turn)
        pieces.removeAll()
        (next, nextPart, withoutParts) = (number, part, nil)
        (fresh, handed) = (number, nil)
        request.forgive()
        failure = nil
        isResting = false
    }

    /// Goes on with another variant's playlist where what is loaded ends.
    mutating func change(to timeline: SegmentTimeline, from url: String, at position: Duration, _ turn: inout Turn) {
        stop(&turn)
        if content.isTransportStream { pieces.lose(turn.settings.buffering.changeLoses, from: position) }
        playlist.change(to: timeline, from: url)
        content.change()
        request.forgive()
        failure = nil
        let from = pieces.end ?? position
        (next, nextPart) = timeline.place(at: from)
        withoutParts = nil
        guard nextPart == 0, next < timeline.upper else { return }
        let slot = timeline.slot(next)
        // Variants' durations differ by a little; a segment of which hardly anything is left is done.
        if pieces.end != nil, slot.end <= from || slot.end - from < slot.duration / 10 { next += 1 }
        fresh = next
    }

    /// Lets go of everything and is not loaded any more.
    mutating func layDown(_ turn: inout Turn) {
        stop(&turn)
        pieces.removeAll()
        isResting = false
        standing = .idle
        playlist.layDown()
    }

    /// Is loaded again beside what plays: at once, or when its playlist has come that changed meanwhile.
    mutating func takeUp(at position: Duration, _ turn: inout Turn) {
        standing = .beside
        lead = 0
        begin(at: playlist.timeline.segment(at: position), &turn)
    }

    /// Takes the segment that is next for there.
    mutating func place(_ slot: SegmentTimeline.Slot) {
        pieces.append(slot)
        if slot.isPart {
            nextPart += 1
        } else {
            (next, nextPart) = (next + 1, 0)
        }
    }

    /// Goes on to the next segment where all parts of this one have been loaded, and it is there as a whole.
    mutating func stepOver() {
        guard nextPart > 0, next >= playlist.timeline.first, next < playlist.timeline.upper, !isLoading else { return }
        let named = playlist.timeline.partCount(next)
        let whole = playlist.timeline.slot(next)
        // Parts are not named for long; of a segment of which hardly anything is left, all is done.
        let isDone = named > 0 ? nextPart >= named : (pieces.end ?? .zero) >= whole.end - whole.duration / 10
        if isDone { (next, nextPart) = (next + 1, 0) }
    }

    /// The parts of the segment that is next are of no use.
    mutating func giveUpParts() { withoutParts = next }

    /// Gives up the requests under way.
    mutating func stop(_ turn: inout Turn) {
        request.stop(&turn)
        prefetched.stop(&turn)
        isPrefetchedWhole = false
        pieces.underway = nil
        hint.stop(&turn)
        mapHint.stop(&turn)
        playlist.stop(&turn)
    }
}
