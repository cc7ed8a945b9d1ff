internal import Fetch
internal import HLS
internal import Timeline

/// Loads one stream's segments in order from the playhead, as far ahead as the profile lets it, and its playlist again
/// as long as that may grow.
struct StreamLoader: Sendable {
    /// What is being loaded.
    enum Target: Sendable, Equatable {
        case map(MapAddress, key: SegmentKey?)
        case segment(Int)
    }

    /// What a stream is to playback.
    enum Standing: Sendable {
        /// Playback needs it.
        case needed
        /// It is loaded, and holds nothing up.
        case beside
        /// It is not loaded.
        case idle
    }

    /// A piece of the item's timeline that is there.
    struct Piece: Sendable {
        let start: Duration
        let end: Duration
        /// Whether the playlist says that there are no media.
        let isGap: Bool
    }

    /// How many segments ahead of the playhead is enough for any line.
    private static let mostLead = 15

    let role: StreamRole
    var standing = Standing.needed
    private(set) var playlistURL: String
    var timeline: SegmentTimeline

    /// What is loaded and not yet let go, in order and without a gap.
    private(set) var pieces: [Piece] = []

    /// Whether any of it is a gap of the playlist, or was.
    private var hasGaps = false

    /// The number of the segment that is next to load.
    private(set) var next: Int

    /// What the media were seen to have; nil until a segment was seen.
    var tracks: ItemTracks?

    /// Whether these tracks are those of another variant, which the next segment makes known anew.
    var areTracksFormer = false

    /// Whether its playlist was left alone while it changed, so that where its segments lie is to be found out anew.
    private(set) var isAdrift = false

    /// How many segments ahead of the playhead it was last begun.
    private var lead = 0

    /// Why the next segment will never come; what is loaded can still be played.
    var failure: PlaybackError?

    /// Whether loading rests because enough is buffered.
    var isResting = false

    var speed = LoadSpeed()

    /// How many segments came.
    var arrivals = 0

    var transfer: Transfer?
    var target: Target?
    var attempts = Attempts()
    var map: (address: MapAddress, holds: SegmentInspection)?
    var reload = PlaylistReload()

    init(role: StreamRole, playlistURL: String, timeline: SegmentTimeline, position: Duration) {
        self.role = role
        self.playlistURL = playlistURL
        self.timeline = timeline
        next = timeline.segment(at: position)
    }

    // MARK: What is there

    var isLoadedToEnd: Bool { timeline.isEnded && next == timeline.upper }

    /// The segment that is next to load; nil where there is none, or none yet.
    var nextSlot: SegmentTimeline.Slot? { hasNext ? timeline.slot(next) : nil }

    /// Whether there is a segment to load next.
    var hasNext: Bool { !isAdrift && next >= timeline.first && next < timeline.upper }

    /// Up to where media are there without a gap from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration {
        guard let first = pieces.first, first.start <= position else { return position }
        // Another stream may be longer; this one holds nothing back at its end.
        if isLoadedToEnd { return .seconds(Int64.max / 4_000_000_000) }
        return max(position, pieces[pieces.count - 1].end)
    }

    /// Whether the playlist has a gap at a position that was loaded.
    func isGap(at position: Duration) -> Bool {
        hasGaps && pieces.contains { $0.isGap && $0.start <= position && position < $0.end }
    }

    /// Where after a position a gap of the playlist begins or ends, as far as that is loaded; nil where none does.
    func gapBorder(after position: Duration) -> Duration? {
        guard hasGaps else { return nil }
        return pieces.lazy.filter(\.isGap).compactMap { gap in
            [gap.start, gap.end].first { $0 > position }
        }.min()
    }

    /// How long the segment that is next to load plays; zero when there is none.
    var nextDuration: Duration { nextSlot?.duration ?? (isLoadedToEnd ? .zero : timeline.targetDuration) }

    /// Whether the segment after what is there has left the playlist.
    var hasFallenBehind: Bool { next < timeline.first }

    // MARK: Moving

    /// Lets go of what lies before the playhead; loads from there when it is not there.
    mutating func move(to position: Duration, _ turn: inout Turn) {
        if let first = pieces.first, first.start <= position, let last = pieces.last,
            position <= last.end || isLoadedToEnd
        {
            while pieces.count > 1, pieces[0].end <= position { pieces.removeFirst() }
            return
        }
        let number = timeline.segment(at: position)
        if standing == .beside {
            moveBeside(number, &turn)
        } else if number == next {
            pieces = []
        } else {
            begin(at: number, &turn)
        }
    }

    /// What holds nothing up is loaded ahead of the playhead, each time further, when that has overtaken it.
    private mutating func moveBeside(_ number: Int, _ turn: inout Turn) {
        let aimed = next - pieces.count
        guard aimed < number || aimed > number + lead else { return }
        lead = aimed < number ? min(2 * lead + 1, StreamLoader.mostLead) : 0
        begin(at: min(number + lead, max(number, timeline.upper - 1)), &turn)
    }

    private mutating func begin(at number: Int, _ turn: inout Turn) {
        stop(&turn)
        pieces = []
        next = number
        attempts = Attempts()
        failure = nil
        isResting = false
    }

    /// Goes on with another variant's playlist where what is loaded ends.
    mutating func change(
        to timeline: SegmentTimeline,
        from url: String,
        at position: Duration,
        _ turn: inout Turn
    ) {
        stop(&turn)
        reload = PlaylistReload()
        self.timeline = timeline
        playlistURL = url
        map = nil
        attempts = Attempts()
        failure = nil
        areTracksFormer = true
        isAdrift = false
        let from = pieces.last?.end ?? position
        next = timeline.segment(at: from)
        let slot = timeline.slot(next)
        // Variants' durations differ by a little; a segment of which hardly anything is left is done.
        if !pieces.isEmpty, slot.end <= from || slot.end - from < slot.duration / 10 { next += 1 }
    }

    /// Lets go of everything and is not loaded any more.
    mutating func layDown(_ turn: inout Turn) {
        stop(&turn)
        pieces = []
        isResting = false
        standing = .idle
        reload = PlaylistReload()
        isAdrift = !timeline.isEnded
    }

    /// Is loaded again beside what plays: at once, or when its playlist has come that changed meanwhile.
    mutating func takeUp(at position: Duration, _ turn: inout Turn) {
        standing = .beside
        lead = 0
        begin(at: timeline.segment(at: position), &turn)
    }

    /// Goes on with the timeline of the playlist as it is now, from a position.
    mutating func anchor(_ timeline: SegmentTimeline, at position: Duration) {
        self.timeline = timeline
        isAdrift = false
        next = timeline.segment(at: position)
    }

    /// Takes the segment that is next for there.
    mutating func place(_ slot: SegmentTimeline.Slot) {
        let start = pieces.last?.end ?? slot.start
        pieces.append(Piece(start: start, end: max(start, slot.end), isGap: slot.isGap))
        hasGaps = hasGaps || slot.isGap
        next += 1
    }

    /// Gives up the requests under way.
    mutating func stop(_ turn: inout Turn) {
        if let transfer { turn.cancel(transfer.id) }
        transfer = nil
        target = nil
        reload.load?.stop(&turn)
    }

    /// Whether a request is its own.
    func owns(_ id: FetchID) -> Bool { transfer?.id == id || reload.load?.owns(id) == true }
}
