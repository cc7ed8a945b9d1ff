internal import SegueBase
internal import SegueEvents

/// Gaps of playlists, and faulty segments.
extension [StreamLoader] {
    /// The instant at which playback continues behind faulty media.
    var passage: Instant? {
        var next: Instant?
        for index in indices where self[index].progress.standing == .needed {
            guard let passage = self[index].progress.pieces.passage else { continue }
            next = next.map { Swift.min($0, passage) } ?? passage
        }
        return next
    }

    /// Handles a playhead that reaches faulty media.
    mutating func followFaults(playhead: Duration, at now: Instant) {
        for index in indices { self[index].progress.pieces.follow(playhead: playhead, at: now) }
    }

    /// Returns the gaps of the playlists at a position.
    func gaps(at position: Duration) -> MediaGaps {
        var gaps = MediaGaps()
        for index in indices where self[index].progress.standing != .idle {
            let isGap = self[index].progress.pieces.isGap(at: position)
            let lacksAudio = isGap || self[index].progress.pieces.isMissing(ofAudio: true, at: position)
            switch self[index].role {
            case .main:
                if isGap || self[index].progress.pieces.isMissing(ofAudio: false, at: position) { gaps.ofVideo = true }
                if lacksAudio, !contains(where: { $0.role == .audio }) { gaps.ofAudio = true }
            case .audio: gaps.ofAudio = gaps.ofAudio || lacksAudio
            case .subtitles: break
            }
        }
        return gaps
    }

    /// Returns the next position after another one at which a loaded gap begins or ends.
    func gapBorder(after position: Duration) -> Duration? {
        var next: Duration?
        for index in indices where self[index].progress.standing != .idle {
            guard let border = self[index].progress.pieces.gapBorder(after: position) else { continue }
            next = next.map { Swift.min($0, border) } ?? border
        }
        return next
    }
}
