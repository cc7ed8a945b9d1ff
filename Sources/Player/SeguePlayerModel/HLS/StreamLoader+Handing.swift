internal import SegueBase
internal import SegueFetch
internal import SeguePlaylists

/// Delivery of fragments on platforms that hold each one until the next begins.
extension StreamLoader {
    /// The last segment of which a block was read; nil if there is none.
    private var begun: Int? {
        if case .segment(progress.next) = request.target, let (bytes, size) = request.progress,
            request.keptBytes + bytes.count >= min(StreamLoader.block, Int(clamping: size))
        {
            return progress.next
        }
        return progress.pieces.count > 0 ? progress.next - 1 : nil
    }

    /// The loaded end for the order of reading; nil if nothing was begun.
    var reach: Duration? { progress.reach(begun: begun) }

    /// Delivers fragments: all of the previous variant when the next initialization section has arrived, and in turn
    /// the segment before the one that was begun.
    mutating func handOn(hasTurn: Bool) {
        guard progress.isFragmented else { return }
        progress.handOverVariant(content.has)
        if hasTurn { progress.handOn(begun: begun) }
    }

    /// Returns the end of the delivered media from a position; the position itself if there are none.
    func handedEnd(from position: Duration, _ buffering: PlatformProfile.Buffering) -> Duration {
        progress.handedEnd(from: position, behind: behind(buffering))
    }

    /// The time by which the clock of a transport stream is behind its end.
    func behind(_ buffering: PlatformProfile.Buffering) -> Duration {
        role == .audio ? buffering.decodedSound : buffering.decoded
    }
}
