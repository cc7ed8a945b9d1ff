internal import Fetch
internal import HLS
internal import Timeline

/// Loads one stream's segments in order from the playhead, as far ahead as the profile lets it, and its playlist again
/// as long as that may grow.
struct StreamLoader: Sendable {
    /// What is being loaded.
    enum Target: Sendable, Equatable {
        case map(MapAddress)
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
    }

    let role: StreamRole
    var standing = Standing.needed
    private(set) var playlistURL: String
    var timeline: SegmentTimeline

    /// What is loaded and not yet let go, in order and without a gap.
    private(set) var pieces: [Piece] = []

    /// The number of the segment that is next to load.
    private(set) var next: Int

    /// What the media were seen to have; nil until a segment was seen.
    var tracks: ItemTracks?

    /// Whether these tracks are those of another variant, which the next segment makes known anew.
    var areTracksFormer = false

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
    var nextSlot: SegmentTimeline.Slot? {
        next >= timeline.first && next < timeline.upper ? timeline.slot(next) : nil
    }

    /// Up to where media are there without a gap from a position on; the position itself when nothing is.
    func bufferedEnd(from position: Duration) -> Duration {
        guard let first = pieces.first, first.start <= position else { return position }
        // Another stream may be longer; this one holds nothing back at its end.
        if isLoadedToEnd { return .seconds(Int64.max / 4_000_000_000) }
        return max(position, pieces[pieces.count - 1].end)
    }

    /// How long the segment that is next to load plays; zero when there is none.
    var nextDuration: Duration { nextSlot?.duration ?? (isLoadedToEnd ? .zero : timeline.targetDuration) }

    /// Whether the segment after what is there has left the playlist.
    var hasFallenBehind: Bool { next < timeline.first }

    // MARK: Moving

    /// Lets go of what lies before the playhead; loads from there when it is not there.
    mutating func move(to position: Duration, output: inout PlayerOutput) {
        if let first = pieces.first, first.start <= position, let last = pieces.last,
            position <= last.end || isLoadedToEnd
        {
            while pieces.count > 1, pieces[0].end <= position { pieces.removeFirst() }
            return
        }
        let number = timeline.segment(at: position)
        if number == next {
            pieces = []
            return
        }
        stop(output: &output)
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
        output: inout PlayerOutput
    ) {
        stop(output: &output)
        reload = PlaylistReload()
        self.timeline = timeline
        playlistURL = url
        map = nil
        attempts = Attempts()
        failure = nil
        areTracksFormer = true
        let from = pieces.last?.end ?? position
        next = timeline.segment(at: from)
        let slot = timeline.slot(next)
        // Variants' durations differ by a little; a segment of which hardly anything is left is done.
        if !pieces.isEmpty, slot.end <= from || slot.end - from < slot.duration / 10 { next += 1 }
    }

    /// Lets go of everything.
    mutating func clear(output: inout PlayerOutput) {
        stop(output: &output)
        pieces = []
        isResting = false
    }

    /// Takes the segment that is next for there.
    mutating func place(_ slot: SegmentTimeline.Slot) {
        let start = pieces.last?.end ?? slot.start
        pieces.append(Piece(start: start, end: max(start, slot.end)))
        next += 1
    }

    /// Gives up the requests under way.
    mutating func stop(output: inout PlayerOutput) {
        if let transfer { output.cancel(transfer.id) }
        transfer = nil
        target = nil
        reload.load?.stop(output: &output)
    }

    /// Whether a request is its own.
    func owns(_ id: FetchID) -> Bool { transfer?.id == id || reload.load?.owns(id) == true }
}
