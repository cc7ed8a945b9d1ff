internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Delivery of fragments on platforms that hold each one until the next begins.
extension StreamLoader {
    /// The clock advances in steps of this length, the last of which comes with the next fragment.
    private static let step = Duration.milliseconds(250)

    /// True if segments have an initialization section.
    var isFragmented: Bool {
        let number = min(next, playlist.timeline.upper - 1)
        return number >= playlist.timeline.first && playlist.timeline.slot(number).map != nil
    }

    /// The last segment of which a block was read; nil if there is none, or it has left a live playlist.
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

    /// The loaded end for the order of reading; nil if nothing was begun.
    ///
    /// This is the end of the segment before the one that was begun. For a first segment it is its own end, because the
    /// initialization section counted in its place.
    var reach: Duration? {
        begun.map { $0 == cursor.fresh ? playlist.timeline.slot($0).end : playlist.timeline.slot($0).start }
    }

    /// Delivers fragments: all of the previous variant when the next initialization section has arrived, and in turn
    /// the segment before the one that was begun.
    mutating func handOn(hasTurn: Bool) {
        guard isFragmented else { return }
        if next == cursor.fresh, let end = pieces.end, let map = nextSlot?.map, content.has(map) { pieces.handed = end }
        guard hasTurn, let begun, begun != cursor.fresh else { return }
        pieces.handed = max(pieces.handed ?? .zero, playlist.timeline.slot(begun).start - StreamLoader.step)
    }

    /// Returns the end of the delivered media from a position; the position itself if there are none.
    func handedEnd(from position: Duration, _ buffering: PlatformProfile.Buffering) -> Duration {
        let end = bufferedEnd(from: position)
        guard !isLoadedToEnd else { return end }
        if isFragmented { return max(position, min(end, pieces.handed ?? position)) }
        return max(position, end - behind(buffering))
    }

    /// The time by which the clock of a transport stream is behind its end.
    func behind(_ buffering: PlatformProfile.Buffering) -> Duration {
        role == .audio ? buffering.decodedSound : buffering.decoded
    }
}
