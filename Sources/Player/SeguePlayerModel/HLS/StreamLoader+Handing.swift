internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// How far fragments are handed on where each waits for the next one, whose beginning is read in its turn.
extension StreamLoader {
    /// The clock goes on in steps of so much, the last of which comes with the fragment behind.
    private static let step = Duration.milliseconds(250)

    /// Whether segments have an initialization section.
    var isFragmented: Bool {
        let number = min(next, playlist.timeline.upper - 1)
        return number >= playlist.timeline.first && playlist.timeline.slot(number).map != nil
    }

    /// The last segment that was begun to be read, by a block of it; nil where none was, or it has left a live playlist.
    private var begun: Int? {
        lastBegun.flatMap { $0 >= playlist.timeline.first && $0 < playlist.timeline.upper ? $0 : nil }
    }

    private var lastBegun: Int? {
        if case .segment(next) = request.target, let (bytes, size) = request.progress,
            request.keptBytes + bytes.count >= min(StreamLoader.block, Int(clamping: size))
        {
            return next
        }
        return pieces.count > 0 ? next - 1 : nil
    }

    /// How far it counts as read when it is asked whose turn it is; nil where nothing was begun.
    ///
    /// That is the end of the segment before the one that was begun; of a first one it is its own, as the initialization
    /// section before it was taken for it.
    var reach: Duration? {
        begun.map { $0 == fresh ? playlist.timeline.slot($0).end : playlist.timeline.slot($0).start }
    }

    /// Hands on what may be: all of the former variant once another one's initialization section has come, and in its turn
    /// the segment before the one that was begun.
    mutating func handOn(hasTurn: Bool) {
        guard isFragmented else { return }
        if next == fresh, let end = pieces.end, let map = nextSlot?.map, content.has(map) { handed = end }
        guard hasTurn, let begun, begun != fresh else { return }
        handed = max(handed ?? .zero, playlist.timeline.slot(begun).start - StreamLoader.step)
    }

    /// Up to where media were handed on without a gap from a position on; the position itself when nothing was.
    func handedEnd(from position: Duration, _ buffering: PlatformProfile.Buffering) -> Duration {
        let end = bufferedEnd(from: position)
        guard !isLoadedToEnd else { return end }
        if isFragmented { return max(position, min(end, handed ?? position)) }
        return max(position, end - behind(buffering))
    }

    /// How far the clock of a transport stream is behind it.
    func behind(_ buffering: PlatformProfile.Buffering) -> Duration {
        role == .audio ? buffering.decodedSound : buffering.decoded
    }
}
